import assert from "node:assert/strict";
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { UnauthorizedError as UnauthorizedV1 } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { createApp, memoryState, tool } from "../../mod.ts";
import type { App } from "../../mod.ts";
import { AuthorizationServer } from "./_authorization_server.ts";
import { parseChallenge } from "./auth/_support.ts";
import { callTool } from "./modern/_client.ts";

const REDIRECT = "http://127.0.0.1:1/callback";

/** An MCP server that trusts an authorization server, on a port of its own. */
class ProtectedServer implements AsyncDisposable {
  readonly url: string;
  readonly #app: App;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  constructor(issuer: string) {
    this.#server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen() {} },
      (request, info) => this.#app.fetch(request, info),
    );
    this.url = `http://127.0.0.1:${this.#server.addr.port}/mcp`;
    this.#app = createApp({
      name: "protected",
      version: "1.0.0",
      state: memoryState(),
      publicUrl: this.url,
      auth: {
        mode: "oauth",
        issuer,
        audience: this.url,
        requiredScopes: ["mcp"],
      },
      tools: [
        tool("whoami", {
          handler: (_args, { auth, tenantId }) =>
            JSON.stringify({ sub: auth?.sub, tenantId, scopes: auth?.scopes }),
        }),
        tool("write", { auth: ["files:write"], handler: () => "written" }),
      ],
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#app.close();
    await this.#server.shutdown();
  }
}

/** Remembers what the official clients have to remember, and where they send people. */
class Keeper implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT;
  readonly clientMetadata = {
    client_name: "test",
    redirect_uris: [REDIRECT],
    grant_types: ["authorization_code"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
  sentTo: URL | undefined;
  #client: unknown;
  #tokens: unknown;
  #verifier = "";

  clientInformation(): never {
    return this.#client as never;
  }
  saveClientInformation(client: unknown): void {
    this.#client = client;
  }
  tokens(): never {
    return this.#tokens as never;
  }
  saveTokens(tokens: unknown): void {
    this.#tokens = tokens;
  }
  redirectToAuthorization(url: URL): void {
    this.sentTo = url;
  }
  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }
  codeVerifier(): string {
    return this.#verifier;
  }

  /** Goes where the client sends its person, and comes back with what the page gives. */
  async browse(): Promise<URLSearchParams> {
    const cookies = new Map<string, string>();
    let url = this.sentTo ?? assert.fail("nobody was sent anywhere");
    for (let page = 0; !url.href.startsWith(REDIRECT); page++) {
      assert(page < 10, `the pages go in circles: ${url}`);
      const response = await fetch(url, {
        redirect: "manual",
        headers: {
          cookie: Array.from(cookies, ([name, value]) => `${name}=${value}`)
            .join("; "),
        },
      });
      const text = await response.text();
      for (const cookie of response.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
        cookies.set(name, value);
      }
      const location = response.headers.get("location") ?? assert.fail(text);
      url = new URL(location, url);
    }
    return url.searchParams;
  }
}

/** What the tests do with an official client of either version. */
interface OfficialClient {
  /** Connects; gives false when its person has to log in first. */
  connect(): Promise<boolean>;
  /** Gives it what its person came back with. */
  finish(params: URLSearchParams): Promise<void>;
  /** Calls a tool; gives its text. */
  call(name: string): Promise<string>;
  /** Whether an error says that its person has to log in again. */
  wantsLogin(error: unknown): boolean;
  close(): Promise<void>;
}

function textOf(result: unknown): string {
  const { content } = result as { content: { text: string }[] };
  return content[0]?.text ?? "";
}

function v2(url: string, authProvider: Keeper): OfficialClient {
  const client = () => new Client({ name: "v2", version: "1.0.0" });
  const transport = () =>
    new StreamableHTTPClientTransport(new URL(url), { authProvider });
  let current = client();
  let connection = transport();
  const wantsLogin = (error: unknown) => error instanceof UnauthorizedError;
  return {
    wantsLogin,
    async connect() {
      try {
        await current.connect(connection);
        return true;
      } catch (error) {
        if (!wantsLogin(error)) throw error;
        return false;
      }
    },
    async finish(params) {
      await connection.finishAuth(params);
      await current.close();
      current = client();
      connection = transport();
      await current.connect(connection);
    },
    call: async (name) => textOf(await current.callTool({ name })),
    close: () => current.close(),
  };
}

function v1(url: string, authProvider: Keeper): OfficialClient {
  const client = () => new ClientV1({ name: "v1", version: "1.0.0" });
  const transport = () => new TransportV1(new URL(url), { authProvider });
  let current = client();
  let connection = transport();
  const wantsLogin = (error: unknown) => error instanceof UnauthorizedV1;
  return {
    wantsLogin,
    async connect() {
      try {
        await current.connect(connection as never);
        return true;
      } catch (error) {
        if (!wantsLogin(error)) throw error;
        return false;
      }
    },
    async finish(params) {
      await connection.finishAuth(params.get("code") ?? "");
      await current.close();
      current = client();
      connection = transport();
      await current.connect(connection as never);
    },
    call: async (name) => textOf(await current.callTool({ name })),
    close: () => current.close(),
  };
}

for (const [name, make] of Object.entries({ "2.x": v2, "1.x": v1 })) {
  Deno.test(`the official client ${name} finds its way to a token, and to one with more scopes`, async () => {
    await using issuer = await AuthorizationServer.start();
    await using server = new ProtectedServer(issuer.issuer);
    const keeper = new Keeper();
    const client = make(server.url, keeper);

    // The challenge leads to the metadata, and they to the authorization server.
    assert.equal(await client.connect(), false);
    assert.equal(issuer.count("/reg"), 1);
    const first = keeper.sentTo?.searchParams;
    assert.equal(first?.get("resource"), server.url);
    assert.equal(first?.get("scope"), "mcp");
    assert.equal(first?.get("code_challenge_method"), "S256");

    await client.finish(await keeper.browse());
    assert.deepEqual(JSON.parse(await client.call("whoami")), {
      sub: "alice",
      tenantId: "acme",
      scopes: ["mcp"],
    });

    // A call that needs more sends the person back for it, and only for it.
    const refused = await client.call("write").catch((error) => error);
    assert(client.wantsLogin(refused), String(refused));
    const scopes = keeper.sentTo?.searchParams.get("scope")?.split(" ");
    assert.deepEqual(scopes?.sort(), ["files:write", "mcp"]);
    await client.finish(await keeper.browse());
    assert.equal(await client.call("write"), "written");
    assert.equal(issuer.count("/reg"), 1);
    // Every token was verified with keys that were read once.
    assert.equal(issuer.count("/jwks"), 1);
    await client.close();
  });
}

/** A token for a program, for a resource. */
async function machineToken(issuer: string, resource: string): Promise<string> {
  const response = await fetch(`${issuer}/token`, {
    method: "POST",
    headers: {
      authorization: `Basic ${btoa("machine:machine-secret-0123456789")}`,
    },
    body: new URLSearchParams({
      grant_type: "client_credentials",
      scope: "mcp",
      resource,
    }),
  });
  const { access_token } = await response.json();
  assert.equal(typeof access_token, "string");
  return access_token;
}

Deno.test("a token of the same authorization server for another resource is refused", async () => {
  await using issuer = await AuthorizationServer.start();
  await using server = new ProtectedServer(issuer.issuer);
  const over = {
    fetch: async (request: Request) =>
      await fetch(server.url, {
        method: "POST",
        headers: request.headers,
        body: await request.text(),
      }),
  };
  const called = async (resource: string) =>
    await callTool(over, "whoami", {}, {
      headers: {
        authorization: `Bearer ${await machineToken(issuer.issuer, resource)}`,
      },
    });
  assert.equal((await called(server.url)).status, 200);
  const other = await called(`${server.url}/other`);
  assert.equal(other.status, 401);
  const challenge = parseChallenge(other.headers.get("www-authenticate") ?? "");
  assert.equal(challenge.error, "invalid_token");
  assert.equal(
    challenge.error_description,
    "The access token is not meant for this server",
  );
});
