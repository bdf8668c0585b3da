/**
 * A server that is given its requests as a JSON array in the first argument.
 * It answers each over HTTP, writes the answers as one JSON array, and exits,
 * which sends what was measured.
 */
import {
  createApp,
  internalError,
  memoryState,
  notFound,
  prompt,
  resource,
  tool,
  z,
} from "../../../mod.ts";

const ids = tool("ids", {
  output: z.object({
    traceId: z.string().optional(),
    spanId: z.string().optional(),
    active: z.string().optional(),
  }),
  async handler(_input, ctx) {
    await ctx.state.set("seen", true);
    await ctx.state.get("seen");
    // What calls on from here, such as fetch, sends the span as its parent.
    const { trace } = await import("@opentelemetry/api");
    const active = trace.getActiveSpan()?.spanContext().spanId;
    const { traceId, spanId } = ctx;
    return {
      ...(traceId !== undefined && { traceId }),
      ...(spanId !== undefined && { spanId }),
      ...(active !== undefined && { active }),
    };
  },
});

const badKey = tool("bad_key", {
  handler: (_input, ctx) => ctx.state.set("a:b", 1),
});

const baggage = tool("baggage", {
  async handler() {
    const { context, propagation } = await import("@opentelemetry/api");
    const entries = propagation.getBaggage(context.active())?.getAllEntries();
    return JSON.stringify(entries?.map(([key, { value }]) => [key, value]));
  },
});

const fails = tool("fails", {
  input: z.object({ how: z.string() }),
  handler({ how }) {
    if (how === "hostile") {
      throw Object.defineProperty(new Error(), "message", {
        get() {
          throw new Error("It cannot be read");
        },
      });
    }
    if (how === "meant") throw notFound("No such thing");
    if (how === "result") {
      return { content: [{ type: "text", text: "no" }], isError: true };
    }
    throw new Error("boom password=hunter2");
  },
});

const asks = tool("asks", {
  async handler(_input, ctx) {
    const schema = z.object({ name: z.string() });
    const { name } = await ctx.ask("name", { message: "Name?", schema });
    return name;
  },
});

const app = createApp({
  name: "traced",
  version: "1.0.0",
  state: memoryState(),
  requestState: { seal: false },
  logLevel: "emergency",
  tools: [ids, badKey, baggage, fails, asks],
  prompts: [prompt("hello", { handler: () => "Hello" })],
  resources: [
    resource("note://{id}", {
      name: "note",
      handler: ({ id }) => {
        if (id === "gone") throw notFound("No such note");
        if (id === "broken") throw internalError("The notes are broken");
        return `Note ${id}`;
      },
    }),
  ],
});

const server = Deno.serve({ port: 0, onListen() {} }, app.fetch);
const url = `http://127.0.0.1:${server.addr.port}/mcp`;
const answers: unknown[] = [];
for (const { method, params, id } of JSON.parse(Deno.args[0]!)) {
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "accept": "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      "mcp-name": params.name ?? params.uri,
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id,
      method,
      params: {
        ...params,
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
          ...params._meta,
        },
      },
    }),
  });
  answers.push(await response.json());
}
await server.shutdown();
await app.close();
console.log(JSON.stringify(answers));
