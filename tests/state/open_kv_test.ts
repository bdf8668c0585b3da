import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ErrorCode } from "../../errors.ts";
import { createTenantState, kvState } from "../../state/mod.ts";
import { rejection } from "./rejection.ts";
import { type RunOptions, runProgram } from "./run_program.ts";

/** Starts a server that cannot have its KV, and gives what it says. */
async function failedStart(options: RunOptions): Promise<string> {
  const { code, stdout, stderr } = await runProgram("open_kv.ts", options);
  assert.equal(code, 1, stderr);
  // Only the opening fails: a server that keeps no state would go on.
  assert.equal(stdout, "ready without state\n");
  const said = /^error: Uncaught \(in promise\) McpError: (.*)$/m.exec(stderr);
  assert.ok(said, stderr);
  return said[1]!;
}

async function inFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await run(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("without --unstable-kv the start says what to do", async () => {
  const said = await failedStart({ flags: ["--allow-all"] });
  assert.match(said, /--unstable-kv/);
  assert.match(said, /"unstable": \["kv"\]/);
  assert.match(said, /MCP_STATE=memory/);
});

Deno.test("a hosted platform without a database is told apart", async () => {
  const env = { DENO_KV_REQUIRES_DISTRIBUTED_DATABASE: "error" };
  const said = await failedStart({ env });
  assert.match(said, /no KV database is attached/);
  assert.match(said, /the default Deno KV database/);
});

Deno.test("a platform that falls back to memory is not called durable", async () => {
  const env = { DENO_KV_REQUIRES_DISTRIBUTED_DATABASE: "warn" };
  const { stdout } = await runProgram("open_kv.ts", { env });
  assert.match(stdout, /^opened false false$/m);
});

Deno.test("missing permissions are named", async () => {
  await inFolder(async (folder) => {
    const said = await failedStart({
      args: [join(folder, "kv")],
      flags: ["--unstable-kv", `--allow-read=${import.meta.dirname}`],
    });
    assert.match(said, /--allow-read and --allow-write/);
  });
});

Deno.test("a file that another program has locked stops the start", async () => {
  await inFolder(async (folder) => {
    const path = join(folder, "kv");
    const kv = await Deno.openKv(path);
    await kv.set(["a"], 1);
    kv.close();
    const other = new DatabaseSync(path);
    other.exec("begin immediate");
    try {
      const said = await failedStart({ args: [path, "300"] });
      assert.match(said, /kv".*another process has locked it/);
    } finally {
      other.exec("rollback");
      other.close();
    }
  });
});

Deno.test("a read-only file stops the start", async () => {
  await inFolder(async (folder) => {
    const path = join(folder, "kv");
    const kv = await Deno.openKv(path);
    await kv.set(["a"], 1);
    kv.close();
    for await (const { name } of Deno.readDir(folder)) {
      await Deno.chmod(join(folder, name), 0o444);
    }
    // The superuser may write to any file, unless it gives that right away.
    const through = Deno.uid() === 0
      ? ["setpriv", "--bounding-set", "-dac_override"]
      : [];
    const said = await failedStart({ args: [path], through });
    assert.match(said, /read-only/);
  });
});

Deno.test("files that are no database, or cannot be had, say which and why", async () => {
  await inFolder(async (folder) => {
    const text = join(folder, "text");
    await Deno.writeTextFile(text, "not a database ".repeat(500));
    const broken = join(folder, "broken");
    const kv = await Deno.openKv(broken);
    for (let i = 0; i < 50; i++) await kv.set(["a", i], "x".repeat(5_000));
    kv.close();
    const bytes = await Deno.readFile(broken);
    await Deno.writeFile(broken, bytes.fill(0x55, 4_000));

    const cases: [path: string, why: RegExp][] = [
      [text, /"[^"]*text", cannot be opened: the file is damaged or is not/],
      [broken, /broken", cannot be opened: the file is damaged or is not/],
      [folder, /the file cannot be opened; its folder must exist/],
      [join(folder, "none", "kv"), /the file cannot be opened; its folder/],
      ["", /Deno KV database "", cannot be opened/],
    ];
    for (const [path, why] of cases) {
      const backend = kvState(path);
      const error = await rejection(
        () => backend.open!(),
        ErrorCode.ConfigurationError,
        why,
      );
      assert.ok(error.cause instanceof Error);
      // The first use says the same when nobody opened it before.
      await rejection(
        () => createTenantState(kvState(path), "acme").get("k"),
        ErrorCode.ConfigurationError,
        why,
      );
      await backend.close();
    }
  });
});

Deno.test("opening may be tried again after it failed", async () => {
  await inFolder(async (folder) => {
    const path = join(folder, "later", "kv");
    const backend = kvState(path);
    await rejection(
      () => backend.open!(),
      ErrorCode.ConfigurationError,
      /folder must exist/,
    );
    await Deno.mkdir(join(folder, "later"));
    await backend.open!();
    await createTenantState(backend, "acme").set("k", 1);
    await backend.close();
  });
});

Deno.test("backends know whether others see their data", async () => {
  const targets: [string | undefined, boolean][] = [
    [undefined, true],
    [":memory:", false],
    ["./kv", true],
    ["https://example.com/db", true],
  ];
  for (const [target, lasting] of targets) {
    const backend = kvState(target);
    assert.equal(backend.shared, lasting);
    assert.equal(backend.durable, lasting);
    await backend.close();
  }
});
