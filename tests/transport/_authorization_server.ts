import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";

/** Scopes that tokens for MCP servers can have. */
const RESOURCE_SCOPES = "mcp files:write";

/**
 * A real authorization server on a port of its own: discovery, dynamic
 * registration, PKCE and signed access tokens. Whoever is sent there is logged
 * in as alice, who agrees to everything.
 */
export class AuthorizationServer implements AsyncDisposable {
  /** The issuer identifier. */
  readonly issuer: string;
  /** Paths asked for, in order. */
  readonly requests: string[] = [];
  readonly #server: Server;

  private constructor(server: Server, issuer: string) {
    this.#server = server;
    this.issuer = issuer;
  }

  static async start(): Promise<AuthorizationServer> {
    const server = createServer();
    await new Promise<void>((resolve) =>
      server.listen(0, "127.0.0.1", resolve)
    );
    const { port } = server.address() as AddressInfo;
    const issuer = `http://127.0.0.1:${port}`;
    const running = new AuthorizationServer(server, issuer);
    await running.#serve();
    return running;
  }

  async #serve(): Promise<void> {
    const provider = new Provider(this.issuer, await configuration());
    const answer = provider.callback();
    this.#server.on("request", async (request, response) => {
      const url = request.url ?? "/";
      this.requests.push(url.replace(/[?].*/, ""));
      if (!url.startsWith("/login/")) return answer(request, response);
      const answers = { login: { accountId: "alice" }, consent: {} };
      await provider.interactionFinished(request, response, answers);
    });
  }

  /** How often a path was asked for. */
  count(path: string): number {
    return this.requests.filter((asked) => asked === path).length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

async function configuration() {
  const { privateKey } = await crypto.subtle.generateKey(
    {
      name: "RSASSA-PKCS1-v1_5",
      modulusLength: 2048,
      publicExponent: new Uint8Array([1, 0, 1]),
      hash: "SHA-256",
    },
    true,
    ["sign", "verify"],
  );
  // What else is exported says what this very key can do, which is to sign.
  const { key_ops: _, ext: __, ...key } = await crypto.subtle.exportKey(
    "jwk",
    privateKey,
  );
  return {
    jwks: { keys: [{ ...key, use: "sig", alg: "RS256", kid: "one" }] },
    cookies: { keys: ["cookie-key-0123456789"] },
    clients: [{
      client_id: "machine",
      client_secret: "machine-secret-0123456789",
      grant_types: ["client_credentials"],
      redirect_uris: [],
      response_types: [],
    }],
    scopes: ["openid", ...RESOURCE_SCOPES.split(" ")],
    claims: { openid: ["sub"] },
    pkce: { required: () => true },
    // Clients register with the scopes they know of then, and may ask for more later.
    extraClientMetadata: {
      properties: ["later_scopes"],
      validator(_: unknown, __: string, ___: unknown, client: ClientMetadata) {
        delete client.scope;
      },
    },
    findAccount: (_: unknown, accountId: string) => ({
      accountId,
      claims: () => ({ sub: accountId }),
    }),
    interactions: {
      url: (_: unknown, { uid }: { uid: string }) => `/login/${uid}`,
    },
    loadExistingGrant,
    extraTokenClaims: () => ({ tid: "acme" }),
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (_: unknown, resource: string) => ({
          scope: RESOURCE_SCOPES,
          audience: resource,
          accessTokenFormat: "jwt",
          jwt: { sign: { alg: "RS256" } },
        }),
      },
    },
  };
}

interface ClientMetadata {
  scope?: string;
}

/** What the provider knows of the request in which it looks for consent. */
interface GrantContext {
  readonly oidc: {
    readonly provider: { readonly Grant: new (of: unknown) => NewGrant };
    readonly client: { readonly clientId: string };
    readonly session: { readonly accountId: string };
    readonly params: { readonly scope?: string; readonly resource?: string };
  };
}

interface NewGrant {
  addOIDCScope(scope: string): void;
  addResourceScope(resource: string, scope: string): void;
  save(): Promise<void>;
}

/** Alice has agreed to whatever is asked. */
async function loadExistingGrant({ oidc }: GrantContext): Promise<NewGrant> {
  const { provider, client, session, params } = oidc;
  const grant = new provider.Grant({
    clientId: client.clientId,
    accountId: session.accountId,
  });
  const scope = params.scope ?? "";
  grant.addOIDCScope(scope);
  if (params.resource !== undefined) {
    grant.addResourceScope(params.resource, scope);
  }
  await grant.save();
  return grant;
}
