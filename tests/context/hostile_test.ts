import assert from "node:assert/strict";
import { toJsonValue } from "../../context/log/to_json.ts";
import { prompt, resource, tool } from "../../mod.ts";
import { createTestClient, RpcError } from "../../testing.ts";
import { captureProcessLog, ERAS, openApp } from "./_support.ts";
import { hostileValues } from "./log/hostile_values.ts";

const COUNT = 500;

/** What has no end as JSON fills the memory of whoever writes it out. */
function isBounded(value: unknown): boolean {
  const json = JSON.stringify(toJsonValue(value, { maxDepth: 100 }));
  return !json.includes("[Truncated]");
}

for (const era of ERAS) {
  Deno.test(`${COUNT} hostile values thrown and logged each get one well-formed answer, in the ${era} era`, async () => {
    using log = captureProcessLog();
    const values = hostileValues(COUNT);
    let next = 0;
    const throws = tool("throws", {
      handler(_input, ctx) {
        const value = values[next++];
        ctx.log.info("before", { value });
        ctx.log.error("it failed", value);
        throw value;
      },
    });
    await using app = openApp({ tools: [throws], logLevel: "error" });
    await using client = createTestClient(app, { era, logLevel: "debug" });
    for (let index = 0; index < COUNT; index++) {
      const result = await client.callTool("throws");
      assert.equal(result.isError, true);
      const [block, ...more] = result.content;
      assert.deepEqual(more, []);
      assert.ok(block?.type === "text");
      assert.match(block.text, /^Error: \S/);
      assert.ok(block.text.isWellFormed());
    }
    assert.equal(next, COUNT);
    assert.ok(log.lines.length >= 2 * COUNT);
    // The server is none the worse for it.
    assert.equal((await client.listTools()).length, 1);
  });

  Deno.test(`hostile values returned or put into data get one well-formed answer, in the ${era} era`, async () => {
    const values = hostileValues(COUNT).filter(isBounded);
    const attempts: ((value: unknown) => unknown)[] = [
      (value) => value,
      (value) => [value],
      (value) => ({ content: value }),
      (value) => ({ content: [value] }),
      (value) => ({ content: [], structuredContent: value }),
      (value) => ({ content: [], _meta: value }),
    ];
    let next = 0;
    const returns = tool("returns", {
      handler: () =>
        attempts[next % attempts.length]!(values[next++]) as string,
    });
    await using app = openApp({ tools: [returns], logLevel: "emergency" });
    await using client = createTestClient(app, { era });
    assert.ok(values.length > COUNT / 2);
    for (let index = 0; index < values.length; index++) {
      const result = await client.callTool("returns");
      assert.ok(Array.isArray(result.content), String(index));
    }
  });

  Deno.test(`hostile values in the data of resources and prompts get one well-formed error, in the ${era} era`, async () => {
    const { McpError } = await import("../../errors.ts");
    const values = hostileValues(COUNT / 5);
    let next = 0;
    const fail = (): never => {
      const value = values[next++];
      throw next % 2 === 0 ? value : new McpError(409, "No", { value });
    };
    await using app = openApp({
      logLevel: "emergency",
      resources: [resource("r://1", { handler: fail })],
      prompts: [prompt("p", { handler: fail })],
    });
    await using client = createTestClient(app, { era });
    for (let index = 0; index < values.length; index++) {
      const answer = index % 4 < 2
        ? client.readResource("r://1")
        : client.getPrompt("p");
      await assert.rejects(answer, (error) => {
        assert.ok(error instanceof RpcError);
        assert.ok(Number.isInteger(error.code));
        assert.equal(
          typeof (error.data as { requestId: string }).requestId,
          "string",
        );
        return true;
      });
    }
  });
}
