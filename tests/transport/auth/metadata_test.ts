import assert from "node:assert/strict";
import { OAuthProtectedResourceMetadataSchema } from "@modelcontextprotocol/sdk/shared/auth.js";
import type { Authenticator } from "../../../transport/auth/authenticator.ts";
import { resourceMetadataResponse } from "../../../transport/auth/resource_metadata.ts";
import {
  assertRefused,
  makeRequest,
  PUBLIC_URL,
  SECRET,
  start,
} from "./_support.ts";

const WELL_KNOWN = "/.well-known/oauth-protected-resource";

const OAUTH = {
  mode: "oauth",
  issuer: "https://auth.example.com",
  audience: "api://parley",
} as const;

function ask(
  authenticator: Authenticator | undefined,
  url: string,
  method = "GET",
  headers: Record<string, string> = {},
): Promise<Response | undefined> {
  const request = new Request(url, { method, headers });
  return resourceMetadataResponse(authenticator, request);
}

async function documentAt(
  authenticator: Authenticator,
  url: string,
  headers: Record<string, string> = {},
): Promise<Record<string, unknown>> {
  const response = await ask(authenticator, url, "GET", headers);
  assert.equal(response?.status, 200, url);
  assert.equal(response.headers.get("content-type"), "application/json");
  assert.equal(response.headers.get("access-control-allow-origin"), "*");
  const document = await response.json();
  OAuthProtectedResourceMetadataSchema.parse(document);
  return document;
}

async function metadataUrlOf(
  authenticator: Authenticator,
  request: Request,
): Promise<string | undefined> {
  const refusal = await assertRefused(
    await authenticator.authenticate(request),
  );
  assert.equal(refusal.status, 401);
  return refusal.challenge?.resource_metadata;
}

Deno.test("the document describes the configured public URL, whatever host and headers the request has", async () => {
  const authenticator = start({ ...OAUTH, requiredScopes: ["mcp"] }, {
    publicUrl: PUBLIC_URL,
    resourceName: "Files",
  });
  const spoofed = {
    "x-forwarded-host": "evil.example",
    "x-forwarded-proto": "http",
    "x-forwarded-port": "81",
    "x-forwarded-prefix": "/evil",
    forwarded: "host=evil.example;proto=http",
    host: "evil.example",
    "x-original-url": "/evil",
  };
  for (const origin of ["http://10.0.0.5:8000", "http://localhost:8000"]) {
    for (const suffix of ["/api/mcp", "", "/"]) {
      const document = await documentAt(
        authenticator,
        origin + WELL_KNOWN + suffix,
        spoofed,
      );
      assert.deepEqual(document, {
        resource: PUBLIC_URL,
        authorization_servers: ["https://auth.example.com"],
        scopes_supported: ["mcp"],
        bearer_methods_supported: ["header"],
        resource_name: "Files",
      });
    }
    assert.equal(
      await metadataUrlOf(
        authenticator,
        makeRequest({ url: `${origin}/api/mcp`, headers: spoofed }),
      ),
      "https://pub.example.com/.well-known/oauth-protected-resource/api/mcp",
    );
  }
});

Deno.test("the well-known name goes between host and path, and the resource stays as it was written", async () => {
  const table = {
    "https://mcp.example.com": WELL_KNOWN,
    "https://mcp.example.com/": WELL_KNOWN,
    "https://mcp.example.com/mcp": `${WELL_KNOWN}/mcp`,
    "https://mcp.example.com/mcp/": `${WELL_KNOWN}/mcp/`,
    "https://mcp.example.com:8443/a/b": `${WELL_KNOWN}/a/b`,
    "https://MCP.example.com/Mcp": `${WELL_KNOWN}/Mcp`,
    "https://mcp.example.com/mcp?tenant=a": `${WELL_KNOWN}/mcp?tenant=a`,
    "https://mcp.example.com/gr%C3%BC%C3%9Fe": `${WELL_KNOWN}/gr%C3%BC%C3%9Fe`,
    "http://localhost:8000/mcp": `${WELL_KNOWN}/mcp`,
    "http://127.0.0.1:8000/mcp": `${WELL_KNOWN}/mcp`,
    "http://[::1]:8000/mcp": `${WELL_KNOWN}/mcp`,
  };
  for (const [publicUrl, place] of Object.entries(table)) {
    const authenticator = start(OAUTH, { publicUrl });
    assert.equal(authenticator.resource, publicUrl);
    const expected = new URL(place, publicUrl).href;
    const url = await metadataUrlOf(
      authenticator,
      makeRequest({ url: "http://10.0.0.5:8000/mcp" }),
    );
    assert.equal(url, expected);
    const document = await documentAt(authenticator, expected);
    assert.equal(document.resource, publicUrl);
  }
});

Deno.test("the document is there for GET, HEAD and OPTIONS, and for nothing else", async () => {
  const authenticator = start(OAUTH);
  const url = `https://pub.example.com${WELL_KNOWN}/api/mcp`;
  const head = await ask(authenticator, url, "HEAD");
  assert.equal(head?.status, 200);
  assert.equal(head.headers.get("content-type"), "application/json");
  assert.equal(await head.text(), "");
  const options = await ask(authenticator, url, "OPTIONS", {
    origin: "https://app.example",
    "access-control-request-method": "GET",
    "access-control-request-headers": "mcp-protocol-version",
  });
  assert.equal(options?.status, 204);
  assert.equal(options.headers.get("access-control-allow-origin"), "*");
  assert.match(
    options.headers.get("access-control-allow-methods") ?? "",
    /GET/,
  );
  assert.match(options.headers.get("access-control-allow-headers") ?? "", /\*/);
  for (const method of ["POST", "PUT", "DELETE", "PATCH"]) {
    const response = await ask(authenticator, url, method);
    assert.equal(response?.status, 405);
    assert.equal(response.headers.get("allow"), "GET, HEAD, OPTIONS");
  }
});

Deno.test("other paths have no document", async () => {
  const authenticator = start(OAUTH);
  const origin = "https://pub.example.com";
  for (
    const path of [
      `${WELL_KNOWN}/mcp`,
      `${WELL_KNOWN}/api/mcp/`,
      `${WELL_KNOWN}/api/mcp/more`,
      `${WELL_KNOWN}/api`,
      `${WELL_KNOWN}//api/mcp`,
    ]
  ) {
    assert.equal((await ask(authenticator, origin + path))?.status, 404, path);
  }
  for (
    const path of [
      "/",
      "/api/mcp",
      `${WELL_KNOWN}s`,
      `${WELL_KNOWN}-x/api/mcp`,
      "/.well-known/oauth-authorization-server",
      `/api/mcp${WELL_KNOWN}`,
    ]
  ) {
    assert.equal(await ask(authenticator, origin + path), undefined, path);
  }
});

Deno.test("a server without authentication has no document, and says so", async () => {
  const origin = "http://localhost:8000";
  for (const suffix of ["", "/", "/mcp", "/any/path"]) {
    for (const method of ["GET", "HEAD", "OPTIONS", "POST"]) {
      const response = await ask(
        undefined,
        origin + WELL_KNOWN + suffix,
        method,
      );
      assert.equal(response?.status, 404);
    }
  }
  assert.equal(await ask(undefined, `${origin}/mcp`), undefined);
});

Deno.test("without a public URL the document follows a loopback host, and there is none for others", async () => {
  const authenticator = start(OAUTH, { path: "/mcp" });
  assert.equal(authenticator.resource, undefined);
  for (
    const origin of [
      "http://localhost:8000",
      "http://127.0.0.1:8000",
      "http://127.1.2.3",
      "http://[::1]:8000",
    ]
  ) {
    assert.equal(
      await metadataUrlOf(authenticator, makeRequest({ url: `${origin}/mcp` })),
      `${origin}${WELL_KNOWN}/mcp`,
    );
    for (const suffix of ["/mcp", ""]) {
      const document = await documentAt(
        authenticator,
        origin + WELL_KNOWN + suffix,
      );
      assert.equal(document.resource, `${origin}/mcp`);
    }
    const other = `${origin}${WELL_KNOWN}/other`;
    assert.equal((await ask(authenticator, other))?.status, 404);
  }
  for (
    const origin of [
      "http://10.0.0.5:8000",
      "https://evil.example",
      "http://localhost.evil.example",
      "http://127.0.0.1.evil.example",
      "http://notlocalhost",
    ]
  ) {
    const request = makeRequest({ url: `${origin}/mcp` });
    assert.equal(await metadataUrlOf(authenticator, request), undefined);
    const url = `${origin}${WELL_KNOWN}/mcp`;
    assert.equal((await ask(authenticator, url))?.status, 404);
  }
});

Deno.test("an endpoint on every path is the resource at the path that was asked", async () => {
  const authenticator = start(OAUTH, { path: "*" });
  const origin = "http://localhost:8000";
  assert.equal(
    await metadataUrlOf(authenticator, makeRequest({ url: `${origin}/a/b?c` })),
    `${origin}${WELL_KNOWN}/a/b`,
  );
  const deep = await documentAt(authenticator, `${origin}${WELL_KNOWN}/a/b`);
  assert.equal(deep.resource, `${origin}/a/b`);
  const root = await documentAt(authenticator, origin + WELL_KNOWN);
  assert.equal(root.resource, origin);
});

Deno.test("an audience that is a URL is the resource when no public URL is given", async () => {
  const audience = "https://mcp.example.com/mcp";
  const authenticator = start({ ...OAUTH, audience }, {});
  assert.equal(authenticator.resource, audience);
  const document = await documentAt(
    authenticator,
    `http://10.0.0.5${WELL_KNOWN}/mcp`,
  );
  assert.equal(document.resource, audience);
  const explicit = start({ ...OAUTH, audience });
  assert.equal(explicit.resource, PUBLIC_URL);
  const several = start({ ...OAUTH, audience: [audience, "b"] }, {});
  assert.equal(several.resource, undefined);
});

Deno.test("each mode has a document, with authorization servers where they are known", async () => {
  const url = `https://pub.example.com${WELL_KNOWN}/api/mcp`;
  const plain = {
    resource: PUBLIC_URL,
    bearer_methods_supported: ["header"],
  };
  const jwt = start({ mode: "jwt", secret: SECRET });
  assert.deepEqual(await documentAt(jwt, url), plain);
  const custom = start({
    verify: () => null,
    authorizationServers: ["https://a.example", "https://b.example/t"],
    requiredScopes: ["mcp"],
    scopesSupported: ["mcp", "files:read"],
  });
  assert.deepEqual(await documentAt(custom, url), {
    ...plain,
    authorization_servers: ["https://a.example", "https://b.example/t"],
    scopes_supported: ["mcp", "files:read"],
  });
});
