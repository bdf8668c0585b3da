import assert from "node:assert/strict";
import {
  firstImporters,
  modulesAtStart,
  modulesRead,
} from "./_module_graph.ts";

const ROOT = new URL("../../", import.meta.url);

function pathOf(name: string): string {
  return Deno.realPathSync(new URL(name, ROOT));
}

/** The first server of the README, with the library taken from this checkout. */
function readmeServer(): string {
  const readme = Deno.readTextFileSync(new URL("README.md", ROOT));
  const [, code] = /```ts\n(\/\/ server\.ts\n[^]*?)```/.exec(readme) ?? [];
  assert.ok(code, "The README shows no server.ts");
  const library = new URL("mod.ts", ROOT).href;
  return code.replaceAll('"@parley/mcp"', JSON.stringify(library));
}

/** The modules of this project among those that are loaded. */
function ownOf(modules: Set<string>): string[] {
  return [...modules].filter((name) => name.startsWith(ROOT.href))
    .map((name) => name.slice(ROOT.href.length)).sort();
}

Deno.test("the README's server loads few modules before it can answer", async () => {
  const directory = await Deno.makeTempDir();
  try {
    const path = `${directory}/server.ts`;
    await Deno.writeTextFile(path, readmeServer());
    const own = ownOf(await modulesAtStart(path));
    // Each costs a start about 0.1 ms.
    assert.ok(
      own.length <= 72,
      `${own.length} modules at start, wanted 72 at most`,
    );
    // Those that are loaded later cost it 0.04 ms each, as Deno reads them.
    const read = ownOf(await modulesRead(path));
    assert.ok(
      read.length <= 160,
      `${read.length} modules read, wanted 160 at most`,
    );
    assert.ok(read.includes("transport/legacy/http.ts"));
    assert.ok(own.includes("transport/create_app.ts"));
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
});

Deno.test("no large module is the first to import another", async () => {
  // Deno reads the source map of each that is; see transport/at_start.ts.
  for (const [name, size] of await firstImporters(pathOf("mod.ts"))) {
    assert.ok(size <= 3_000, `${name} has ${size} bytes, wanted 3000 at most`);
  }
});

Deno.test("what few servers need is loaded with its first use", async () => {
  const modules = await modulesAtStart(pathOf("mod.ts"));
  const own = ownOf(modules);
  for (const folder of ["transport/legacy", "transport/stdio"]) {
    assert.deepEqual(own.filter((name) => name.startsWith(`${folder}/`)), []);
  }
  // Each stands for what it is the first to import.
  for (
    const name of [
      "context/log/log_tape.ts",
      "context/log/mask_text.ts",
      "context/round_answers.ts",
      "seal/key_ring.ts",
      "transport/catalog/match_template.ts",
      "transport/modern/check_param_headers.ts",
      "transport/modern/listen_stream.ts",
      "transport/run/failure.ts",
      "transport/run/requests.ts",
      "transport/run/round_seal.ts",
      "transport/run/render_content.ts",
      "transport/store_log.ts",
    ]
  ) {
    assert.ok((await Deno.stat(new URL(name, ROOT))).isFile);
    assert.ok(!own.includes(name), `${name} is loaded at start`);
  }
  // Checking the options cannot wait: createApp throws what is wrong with them.
  const forOptions = /^transport\/auth\/(create_authenticator|_validate)\.ts$/;
  assert.deepEqual(
    own.filter((name) =>
      name.startsWith("transport/auth/") && !forOptions.test(name)
    ),
    [],
  );
  const packages = [...modules].filter((name) => !name.startsWith("file:"))
    .map((name) => name.replace(/^npm:\/?(@?[^@]+)@.*$/, "$1")).sort();
  assert.deepEqual(packages, ["zod"]);
});

Deno.test("state loads neither the server, nor what only an operation needs", async () => {
  const modules = await modulesAtStart(pathOf("state/mod.ts"));
  assert.deepEqual(ownOf(modules), [
    "errors.ts",
    "state/default_state.ts",
    "state/kv.ts",
    "state/limits.ts",
    "state/memory.ts",
    "state/mod.ts",
    "state/tenant_state.ts",
  ]);
});

Deno.test("seals load what seals with the first state", async () => {
  const modules = await modulesAtStart(pathOf("seal/mod.ts"));
  assert.deepEqual(ownOf(modules), [
    "seal/create_request_state_codec.ts",
    "seal/create_sealer.ts",
    "seal/mod.ts",
    "seal/request_binding.ts",
    "seal/seal_keys.ts",
  ]);
});
