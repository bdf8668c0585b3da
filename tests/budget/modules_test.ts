import assert from "node:assert/strict";
import { modulesAtStart } from "./_module_graph.ts";

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
    // Each costs a start about 0.15 ms.
    assert.ok(
      own.length <= 182,
      `${own.length} modules at start, wanted 182 at most`,
    );
    assert.ok(own.includes("transport/parley_app.ts"));
  } finally {
    await Deno.remove(directory, { recursive: true });
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
      "context/check_structure.ts",
      "context/round_answers.ts",
      "transport/catalog/match_template.ts",
      "transport/modern/check_param_headers.ts",
      "transport/modern/listen_stream.ts",
      "transport/modern/serve_other.ts",
      "transport/run/render_content.ts",
      "transport/store_log.ts",
    ]
  ) {
    assert.ok((await Deno.stat(new URL(name, ROOT))).isFile);
    assert.ok(!own.includes(name), `${name} is loaded at start`);
  }
  const packages = [...modules].filter((name) => !name.startsWith("file:"))
    .map((name) => name.replace(/^npm:\/?(@?[^@]+)@.*$/, "$1")).sort();
  assert.deepEqual(packages, ["@logtape/logtape", "zod"]);
});

Deno.test("state loads neither the server nor its schemas", async () => {
  const modules = await modulesAtStart(pathOf("state/mod.ts"));
  assert.deepEqual(
    ownOf(modules).filter((name) => !/^(state\/|errors\.ts)/.test(name)),
    [],
  );
});
