import assert from "node:assert/strict";
import {
  type CryptoKey,
  exportJWK,
  generateKeyPair,
  type JWK,
  type JWTPayload,
  SignJWT,
} from "jose";
import type { AuthContext } from "../../../context/auth_context.ts";
import type {
  Authenticator,
  AuthenticatorConfig,
} from "../../../transport/auth/authenticator.ts";
import { createAuthenticator } from "../../../transport/auth/create_authenticator.ts";
import type {
  AuthOptions,
  OAuthOptions,
} from "../../../transport/auth/options.ts";

export const SECRET = "0123456789abcdef0123456789abcdef";
export const PUBLIC_URL = "https://pub.example.com/api/mcp";

/** Now, in seconds since the Unix epoch. */
export function now(): number {
  return Math.floor(Date.now() / 1000);
}

/** Claims of a good token, to be overridden; `undefined` takes one away. */
export function claims(overrides: Record<string, unknown> = {}): JWTPayload {
  const all: Record<string, unknown> = {
    client_id: "app",
    sub: "alice",
    tid: "acme",
    scope: "files:read",
    exp: now() + 300,
    ...overrides,
  };
  return JSON.parse(JSON.stringify(all));
}

/** An unsigned or oddly signed token, from its parts. */
export function rawToken(
  header: unknown,
  payload: unknown,
  signature = "",
): string {
  const part = (value: unknown) =>
    btoa(typeof value === "string" ? value : JSON.stringify(value))
      .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return `${part(header)}.${part(payload)}.${signature}`;
}

/** A token signed with HMAC over exactly this header and payload text. */
export async function hmacToken(
  header: unknown,
  payload: unknown,
  secret: string = SECRET,
  hash = "SHA-256",
): Promise<string> {
  const key = await crypto.subtle.importKey(
    "raw",
    new TextEncoder().encode(secret),
    { name: "HMAC", hash },
    false,
    ["sign"],
  );
  const input = rawToken(header, payload).replace(/\.$/, "");
  const bytes = new Uint8Array(
    await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(input)),
  );
  const signature = btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return `${input}.${signature}`;
}

/** A good HS256 token. */
export function hs256(
  overrides: Record<string, unknown> = {},
): Promise<string> {
  return hmacToken({ alg: "HS256", typ: "JWT" }, claims(overrides));
}

export interface RequestParts {
  url?: string;
  method?: string;
  authorization?: string;
  headers?: Record<string, string>;
}

export function makeRequest(parts: RequestParts = {}): Request {
  const { url = "http://localhost:8000/mcp", method = "POST" } = parts;
  const headers = new Headers(parts.headers);
  if (parts.authorization !== undefined) {
    headers.set("authorization", parts.authorization);
  }
  return new Request(url, { method, headers });
}

export function bearer(token: string): Request {
  return makeRequest({ authorization: `Bearer ${token}` });
}

export function start(
  options: AuthOptions,
  config: AuthenticatorConfig = { publicUrl: PUBLIC_URL },
): Authenticator {
  const authenticator = createAuthenticator(options, config);
  assert(authenticator !== undefined);
  return authenticator;
}

export function assertCaller(outcome: AuthContext | Response): AuthContext {
  assert(
    !(outcome instanceof Response),
    `refused: ${
      outcome instanceof Response ? outcome.headers.get("www-authenticate") : ""
    }`,
  );
  return outcome;
}

export interface Refusal {
  status: number;
  /** Parameters of the challenge; `undefined` when the response has none. */
  challenge: Record<string, string> | undefined;
  code: number;
  message: string;
  body: Record<string, unknown>;
  headers: Headers;
}

/** Reads a refusal, and checks what every one of them must be. */
export async function assertRefused(
  outcome: AuthContext | Response,
): Promise<Refusal> {
  assert(outcome instanceof Response, "the request was served");
  const header = outcome.headers.get("www-authenticate");
  const body = await outcome.json();
  assert.equal(outcome.headers.get("content-type"), "application/json");
  assert.equal(outcome.headers.get("cache-control"), "no-store");
  assert.equal(body.jsonrpc, "2.0");
  assert(!("result" in body));
  assert(!("id" in body) || body.id !== null);
  assert.equal(typeof body.error.code, "number");
  assert.equal(typeof body.error.message, "string");
  assert.notEqual(body.error.message, "");
  return {
    status: outcome.status,
    challenge: header === null ? undefined : parseChallenge(header),
    code: body.error.code,
    message: body.error.message,
    body,
    headers: outcome.headers,
  };
}

/**
 * Parses a header that must be one Bearer challenge with quoted parameters, by
 * the grammar of RFC 9110, section 11.6.1, and refuses anything else.
 */
export function parseChallenge(header: string): Record<string, string> {
  assert.match(header, /^[\x20-\x7E]+$/, "more than printable ASCII");
  const scheme = /^Bearer +/.exec(header);
  assert(scheme !== null, `no Bearer challenge with parameters: ${header}`);
  const parameters: Record<string, string> = {};
  let rest = header.slice(scheme[0].length);
  for (;;) {
    const one = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+)="((?:[^"\\]|\\.)*)"/.exec(
      rest,
    );
    assert(one !== null, `not a parameter: ${rest}`);
    const [all, name = "", value = ""] = one;
    assert(!(name in parameters), `twice: ${name}`);
    parameters[name] = value.replaceAll(/\\(.)/g, "$1");
    rest = rest.slice(all.length);
    if (rest === "") return parameters;
    const comma = /^ *, */.exec(rest);
    assert(comma !== null, `no comma: ${rest}`);
    rest = rest.slice(comma[0].length);
  }
}

export interface IssuerKey {
  kid: string;
  alg: string;
  privateKey: CryptoKey;
  publicKey: CryptoKey;
  jwk: JWK;
}

export async function makeKey(kid: string, alg = "ES256"): Promise<IssuerKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, {
    extractable: true,
  });
  const jwk: JWK = { ...await exportJWK(publicKey), kid, use: "sig", alg };
  return { kid, alg, privateKey, publicKey, jwk };
}

/** What the issuer's server does with a path; `undefined` is 404. */
export type Route = (request: Request) => Response | undefined;

/** An authorization server's published side, on a real socket. */
export class Issuer implements AsyncDisposable {
  /** The keys it publishes. */
  keys: JWK[] = [];
  /** Paths asked for, in order. */
  readonly requests: string[] = [];
  /** Replaces what a path answers. */
  readonly routes = new Map<string, Route>();
  readonly url: string;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  constructor(path = "") {
    this.#server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen() {} },
      (request) => this.#answer(request),
    );
    this.url = `http://127.0.0.1:${this.#server.addr.port}${path}`;
  }

  get jwksUri(): string {
    return new URL("/jwks", this.url).href;
  }

  /** How often the key set was fetched. */
  get fetches(): number {
    return this.requests.filter((path) => path === "/jwks").length;
  }

  #answer(request: Request): Response {
    const { pathname } = new URL(request.url);
    this.requests.push(pathname);
    const route = this.routes.get(pathname);
    const given = route?.(request);
    if (given !== undefined) return given;
    if (pathname === "/jwks" && route === undefined) {
      return Response.json({ keys: this.keys });
    }
    return new Response("nothing here", { status: 404 });
  }

  /** Serves metadata that name this issuer and its key set. */
  publish(path: string, overrides: Record<string, unknown> = {}): void {
    this.routes.set(path, () =>
      Response.json({
        issuer: this.url,
        jwks_uri: this.jwksUri,
        ...overrides,
      }));
  }

  /** Options of a server that trusts this issuer. */
  options(overrides: Partial<OAuthOptions> = {}): OAuthOptions {
    return {
      mode: "oauth",
      issuer: this.url,
      audience: PUBLIC_URL,
      jwksUri: this.jwksUri,
      ...overrides,
    };
  }

  /** A token of this issuer, good unless overridden. */
  sign(
    key: IssuerKey,
    overrides: Record<string, unknown> = {},
    header: { kid?: string | undefined; [name: string]: unknown } = {},
  ): Promise<string> {
    const payload = claims({ iss: this.url, aud: PUBLIC_URL, ...overrides });
    return new SignJWT(payload)
      .setProtectedHeader(
        JSON.parse(JSON.stringify({ alg: key.alg, kid: key.kid, ...header })),
      )
      .sign(key.privateKey);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}
