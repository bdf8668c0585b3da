import assert from "node:assert/strict";
import { ErrorCode } from "../../errors.ts";
import { parseStateTarget } from "../../state/mod.ts";
import { rejection } from "./rejection.ts";
import { runProgram } from "./run_program.ts";

Deno.test("MCP_STATE takes memory, kv, and kv with a target", () => {
  assert.deepEqual(parseStateTarget("memory"), { kind: "memory" });
  assert.deepEqual(parseStateTarget("kv"), { kind: "kv" });
  for (
    const target of ["./data.db", ":memory:", "https://kv.example/db", "C:\\kv"]
  ) {
    assert.deepEqual(parseStateTarget(`kv:${target}`), { kind: "kv", target });
  }
});

Deno.test("MCP_STATE with anything else is named, and not shown", async () => {
  const wrong = [
    "",
    " ",
    "KV",
    "kv:",
    "redis",
    "memory ",
    "https://kv/?token=s3",
  ];
  for (const value of wrong) {
    const error = await rejection(
      // deno-lint-ignore require-await -- it throws, and this makes it reject
      async () => parseStateTarget(value),
      ErrorCode.ConfigurationError,
      /^MCP_STATE .*"memory", "kv", or "kv:"/,
    );
    assert.doesNotMatch(error.message, /s3|redis/);
  }
});

Deno.test("by default state is in Deno KV where that is on", async () => {
  const { stdout } = await runProgram("default_state.ts");
  assert.deepEqual(JSON.parse(stdout), { name: "kv" });
});

Deno.test("by default state is in memory elsewhere, with a warning", async () => {
  const { stdout } = await runProgram("default_state.ts", {
    flags: ["--no-prompt"],
  });
  const { name, warning } = JSON.parse(stdout);
  assert.equal(name, "memory");
  assert.match(warning, /lost when this process ends/);
  assert.match(warning, /--unstable-kv/);
  assert.match(warning, /MCP_STATE=memory/);
});
