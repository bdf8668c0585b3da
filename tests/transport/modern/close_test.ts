import assert from "node:assert/strict";
import { createApp, memoryState, tool, z } from "../../../mod.ts";
import { type CallOptions, type Json, modernRequest, read } from "./_client.ts";

// Each needs a part that is loaded with the first request of its kind, so that
// there is one try in this process.
const FIRST: Record<string, [params: Json, options: CallOptions]> = {
  "is plain": [{}, {}],
  "asks for the log": [{}, {
    meta: { "io.modelcontextprotocol/logLevel": "debug" },
  }],
  "mirrors a parameter": [{ arguments: { region: "eu" } }, {
    headers: { "mcp-param-region": "eu" },
  }],
  "is a retry": [{ inputResponses: {} }, {}],
};

const Region = z.object({
  region: z.string().meta({ "x-mcp-header": "region" }).optional(),
});

for (const [what, [params, options]] of Object.entries(FIRST)) {
  Deno.test(`closing waits for the first call that ${what}`, async () => {
    let ended = false;
    const input = what === "mirrors a parameter" ? Region : z.looseObject({});
    const app = createApp({
      name: "closing",
      version: "1.0.0",
      state: memoryState(),
      tools: [
        tool("work", {
          input,
          output: z.object({ n: z.number().nullable() }),
          async handler(_input, ctx) {
            await ctx.state.set("n", 1);
            const n = await ctx.state.get<number>("n");
            ended = true;
            return { n };
          },
        }),
      ],
    });
    await app.fetch(new Request("http://localhost/elsewhere"));
    const request = modernRequest(
      "tools/call",
      { name: "work", ...params },
      options,
    );
    const body = await request.arrayBuffer();
    const taken = Promise.withResolvers<void>();
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(new Uint8Array(body));
        controller.close();
        taken.resolve();
      },
    }, { highWaterMark: 0 });
    const { url, method, headers } = request;
    const answer = app.fetch(
      new Request(url, { method, headers, body: stream }),
    );
    await taken.promise;
    // As long as it takes to parse what was read.
    for (let turn = 0; turn < 10; turn++) await null;
    await app.close();
    assert.ok(ended, "the app was closed before the call had run");
    const { result } = await read(await answer);
    assert.deepEqual(result.structuredContent, { n: 1 });
  });
}
