import {
  checkScopes,
  createApp,
  memoryState,
  prompt,
  resource,
  tool,
  z,
} from "../../../mod.ts";
import type { App } from "../../../mod.ts";
import { claims, hmacToken, now, SECRET } from "../auth/_support.ts";
import {
  type CallOptions,
  type Json,
  modernRequest,
  post,
} from "../modern/_client.ts";

/** What the attacked server calls itself. */
export const RESOURCE = "https://pub.example.com/mcp";
/** Where its metadata are. */
export const METADATA =
  "https://pub.example.com/.well-known/oauth-protected-resource/mcp";
/** The one page it trusts. */
export const PAGE = "https://page.example.com";

/** Makes the attacked server, and a list of the tools that ran. */
export function target(): { app: App; ran: string[] } {
  const ran: string[] = [];
  const note = (name: string) => () => {
    ran.push(name);
    return `ran ${name}`;
  };
  const app = createApp({
    name: "target",
    version: "1.0.0",
    state: memoryState(),
    publicUrl: RESOURCE,
    allowedHosts: ["pub.example.com"],
    allowedOrigins: [PAGE],
    maxBodyBytes: 4_096,
    requestState: { keys: ["attack-key-0123456789-0123456789"] },
    auth: {
      mode: "jwt",
      secret: SECRET,
      issuer: "https://issuer.example.com",
      audience: RESOURCE,
      requiredScopes: ["mcp"],
      tenant: "required",
    },
    tools: [
      tool("read", { handler: note("read") }),
      tool("write", { auth: ["files:write"], handler: note("write") }),
      tool("dynamic", {
        auth: ["files:read"],
        input: z.object({ scope: z.string() }),
        handler({ scope }, ctx) {
          checkScopes(ctx, [scope]);
          ran.push("dynamic");
          return "ran dynamic";
        },
      }),
      tool("region", {
        input: z.object({
          region: z.string().meta({ "x-mcp-header": "Region" }),
        }),
        handler: note("region"),
      }),
      tool("ask", {
        async handler(_input, ctx) {
          const { ok } = await ctx.ask("ok", {
            message: "Really?",
            schema: z.object({ ok: z.boolean() }),
          });
          if (ok) ran.push("ask");
          return "asked";
        },
      }),
    ],
    prompts: [
      prompt("brief", { auth: ["files:write"], handler: note("brief") }),
    ],
    resources: [
      resource("secret://plan", {
        name: "plan",
        auth: ["files:write"],
        handler: note("plan"),
      }),
    ],
  });
  return { app, ran };
}

/** Claims that the server accepts, to be overridden. */
export function goodClaims(overrides: Json = {}): Json {
  return claims({
    iss: "https://issuer.example.com",
    aud: RESOURCE,
    scope: "mcp files:read",
    exp: now() + 300,
    ...overrides,
  }) as Json;
}

/** A token that the server accepts, unless something is overridden. */
export function token(
  overrides: Json = {},
  header: Json = {},
  secret: string = SECRET,
): Promise<string> {
  return hmacToken(
    { alg: "HS256", typ: "JWT", ...header },
    goodClaims(overrides),
    secret,
  );
}

/** Credentials for a request. */
export async function credentials(
  overrides: Json = {},
): Promise<Record<string, string>> {
  return { authorization: `Bearer ${await token(overrides)}` };
}

/** A call of a tool with these headers. */
export function callWith(
  headers: Readonly<Record<string, string | undefined>>,
  name = "read",
  args: unknown = {},
  options: CallOptions = {},
): Request {
  return modernRequest("tools/call", { name, arguments: args }, {
    ...options,
    headers: { ...options.headers, ...headers },
  });
}

/** Any POST of an authenticated caller. */
export async function postAs(
  body: unknown,
  headers: Readonly<Record<string, string | undefined>> = {},
): Promise<Request> {
  return post(body, { ...await credentials(), ...headers });
}

/** What an attack sends, and what it has to get. */
export interface Attack {
  readonly name: string;
  readonly request: () => Request | Promise<Request>;
  /** The address the request comes from; a local one by default. */
  readonly from?: string;
  readonly status: number;
  /** The JSON-RPC error code; undefined when the answer has none. */
  readonly code?: number;
  /** The challenge; undefined when there must be none. */
  readonly challenge?: Readonly<Record<string, string>>;
  /** The message of the error, where it matters. */
  readonly message?: RegExp;
}
