import { modernRequest } from "../modern/_client.ts";
import {
  type Attack,
  callWith,
  credentials,
  postAs,
  RESOURCE,
} from "./_target.ts";

function deep(open: string, close: string, depth: number): string {
  return open.repeat(depth) + "1" + close.repeat(depth);
}

/** A call whose headers say something else. */
function mismatch(
  name: string,
  headers: Readonly<Record<string, string | undefined>>,
  tool = "read",
  args: unknown = {},
): Attack {
  return {
    name,
    request: async () =>
      callWith({ ...await credentials(), ...headers }, tool, args),
    status: 400,
    code: -32020,
  };
}

function body(
  name: string,
  text: unknown,
  status: number,
  code: number,
  headers: Readonly<Record<string, string | undefined>> = {},
): Attack {
  return { name, request: () => postAs(text, headers), status, code };
}

function call(
  name: string,
  params: Record<string, unknown>,
  status: number,
  code: number,
  message?: RegExp,
): Attack {
  return {
    name,
    request: async () =>
      modernRequest("tools/call", params, { headers: await credentials() }),
    status,
    code,
    ...(message !== undefined && { message }),
  };
}

const STATE = /^Invalid or expired requestState$/;

/** Messages that are not what they should be, of a caller who may call. */
export const messageAttacks: readonly Attack[] = [
  body("no body", "", 400, -32700),
  body("half a message", '{"jsonrpc":"2.0","id":1', 400, -32700),
  body("a body of open brackets", "[".repeat(4_000), 400, -32700),
  body("a batch", [{ jsonrpc: "2.0", id: 1, method: "ping" }], 400, -32600),
  body(
    "a message nested as deep as the limit allows",
    deep("[", "]", 2_000),
    400,
    -32600,
  ),
  body("text for a message", '"tools/call"', 400, -32600),
  body("null for a message", "null", 400, -32600),
  body(
    "a request with null for its id",
    { jsonrpc: "2.0", id: null, method: "tools/call" },
    400,
    -32600,
  ),
  body(
    "a request with an object for its id",
    { jsonrpc: "2.0", id: {}, method: "tools/call" },
    400,
    -32600,
  ),
  body(
    "another version of JSON-RPC",
    { jsonrpc: "1.0", id: 1, method: "ping" },
    400,
    -32600,
  ),
  body("a body over the limit", " ".repeat(4_097), 413, -32600),
  body("a form", "a=1", 415, -32600, {
    "content-type": "application/x-www-form-urlencoded",
  }),
  body("a simple request of a page", "{}", 415, -32600, {
    "content-type": "text/plain; a=application/json",
  }),
  body("no content type", "{}", 415, -32600, { "content-type": "" }),
  body(
    "an answer nobody waits for",
    { jsonrpc: "2.0", id: 1, result: {} },
    400,
    -32600,
    { "mcp-protocol-version": "2026-07-28" },
  ),
  body(
    "the new revision without its envelope",
    { jsonrpc: "2.0", id: 1, method: "tools/list" },
    400,
    -32602,
    { "mcp-protocol-version": "2026-07-28" },
  ),
  {
    name: "a revision that is not served",
    request: async () =>
      modernRequest("tools/list", {}, {
        meta: { "io.modelcontextprotocol/protocolVersion": "2099-01-01" },
        headers: {
          ...await credentials(),
          "mcp-protocol-version": "2099-01-01",
        },
      }),
    status: 400,
    code: -32022,
  },
  mismatch("no version header", { "mcp-protocol-version": undefined }),
  mismatch("a version header of another revision", {
    "mcp-protocol-version": "2025-11-25",
  }),
  mismatch("two versions in one header", {
    "mcp-protocol-version": "2026-07-28, 2025-11-25",
  }),
  mismatch("no method header", { "mcp-method": undefined }),
  mismatch("a method header of a harmless method", {
    "mcp-method": "tools/list",
  }),
  mismatch("no name header", { "mcp-name": undefined }),
  mismatch("a name header of a harmless tool", { "mcp-name": "read" }, "write"),
  mismatch("a name header in broken Base64", { "mcp-name": "=?base64?***?=" }),
  mismatch(
    "a parameter header unlike the argument",
    { "mcp-param-region": "us" },
    "region",
    { region: "eu" },
  ),
  mismatch("no parameter header", {}, "region", { region: "eu" }),
  call(
    "a tool named after a prototype's member",
    { name: "constructor" },
    200,
    -32602,
    /^Unknown tool/,
  ),
  call(
    "a tool named after the prototype itself",
    { name: "__proto__" },
    200,
    -32602,
    /^Unknown tool/,
  ),
  call("a name that is no text", { name: { toString: "read" } }, 200, -32602),
  call(
    "arguments that are no object",
    { name: "read", arguments: ["x"] },
    200,
    -32602,
  ),
  call(
    "request state made up",
    { name: "ask", requestState: "v1.e30.e30" },
    200,
    -32602,
    STATE,
  ),
  call(
    "request state that is no text",
    { name: "ask", requestState: { p: 1 } },
    200,
    -32602,
    STATE,
  ),
  call(
    "request state as long as the limit allows",
    { name: "ask", requestState: "A".repeat(3_000) },
    200,
    -32602,
    STATE,
  ),
  {
    name: "an unknown method",
    request: async () =>
      modernRequest("admin/shutdown", {}, { headers: await credentials() }),
    status: 404,
    code: -32601,
  },
  {
    name: "a session nobody opened",
    request: () =>
      postAs({ jsonrpc: "2.0", id: 1, method: "tools/list" }, {
        "mcp-session-id": crypto.randomUUID(),
      }),
    status: 404,
    code: -32600,
  },
  {
    name: "a session nobody opened, ended",
    request: async () =>
      new Request("http://localhost/mcp", {
        method: "DELETE",
        headers: {
          ...await credentials(),
          "mcp-session-id": crypto.randomUUID(),
        },
      }),
    status: 404,
    code: -32600,
  },
  {
    name: "another HTTP method",
    request: async () =>
      new Request("http://localhost/mcp", {
        method: "PATCH",
        headers: await credentials(),
      }),
    status: 405,
    code: -32600,
  },
  {
    name: "a path beside the endpoint",
    request: async () =>
      new Request("http://localhost/mcp/admin", callWith(await credentials())),
    status: 404,
  },
  {
    name: "a path that climbs",
    request: async () =>
      new Request(
        "http://localhost/mcp/..%2fadmin",
        callWith(await credentials()),
      ),
    status: 404,
  },
  {
    name: "metadata of another resource",
    request: () =>
      new Request(
        `http://localhost/.well-known/oauth-protected-resource/other?of=${RESOURCE}`,
      ),
    status: 404,
  },
];
