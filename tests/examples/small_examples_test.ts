import assert from "node:assert/strict";
import { SignJWT } from "jose";
import { createTestClient, RpcError, type TestClient } from "../../testing.ts";
import type { CallToolResult } from "../../mod.ts";
import fromSdk from "../../examples/from_sdk.ts";
import library from "../../examples/library.ts";
import { tokenApp } from "../../examples/tokens.ts";

const ERAS = ["modern", "legacy"] as const;

function textOf({ content }: CallToolResult): string {
  return content.map((block) => block.type === "text" ? block.text : "")
    .join("\n");
}

Deno.test("the library example finds, reads, lists, completes and says why not", async () => {
  for (const era of ERAS) {
    await using client = createTestClient(library, { era });
    const found = await client.callTool("search", { word: "and" });
    assert.deepEqual(found.structuredContent, { ids: ["emma"], totalCount: 1 });
    assert.match(textOf(found), /^Found emma/);
    const missed = await client.callTool("search", { word: "zebra" });
    assert.equal(missed.isError, true);
    assert.match(textOf(missed), /Try a shorter word\./);

    const resources = await client.listResources();
    assert.deepEqual(resources.map(({ uri }) => uri), [
      "library://about",
      "book://emma",
      "book://moby-dick",
      "book://middlemarch",
    ]);
    const { contents } = await client.readResource("book://moby-dick");
    assert.deepEqual(contents, [{
      uri: "book://moby-dick",
      mimeType: "text/plain",
      text: "Call me Ishmael.",
    }]);
    await assert.rejects(client.readResource("book://none"), RpcError);

    const { values } = await client.complete(
      { type: "ref/prompt", name: "continue" },
      "id",
      "m",
    );
    assert.deepEqual(values, ["moby-dick", "middlemarch"]);
    const { messages } = await client.getPrompt("continue", { id: "emma" });
    assert.equal(messages.length, 1);
  }
  await library.close();
});

Deno.test("the example from the SDK answers, asks and has its structure", async () => {
  for (const era of ERAS) {
    await using client = createTestClient(fromSdk, {
      era,
      clientInfo: { name: "tester", version: "1.0.0" },
      answers: { sure: { sure: true } },
    });
    const sum = await client.callTool("add", { a: 1, b: 2 });
    assert.equal(textOf(sum), "1 + 2 = 3");
    assert.deepEqual(sum.structuredContent, { sum: 3 });
    assert.equal(textOf(await client.callTool("ping")), "pong to tester");
    const deployed = await client.callTool("deploy", { env: "test" });
    assert.equal(textOf(deployed), "Deployed to test");
  }
  await fromSdk.close();
});

Deno.test("the token example knows its callers and holds them to their scopes", async () => {
  const secret = crypto.randomUUID();
  const app = tokenApp(secret);
  const clientWith = async (scope: string): Promise<TestClient> => {
    const token = await new SignJWT({ scope, tid: "acme" })
      .setProtectedHeader({ alg: "HS256" })
      .setIssuer("https://issuer.example")
      .setSubject("ann")
      .setExpirationTime("5m")
      .sign(new TextEncoder().encode(secret));
    return createTestClient(app, {
      headers: { authorization: `Bearer ${token}` },
    });
  };
  await using plain = await clientWith("");
  assert.equal(
    textOf(await plain.callTool("whoami")),
    "ann of acme, with no scopes",
  );
  const names = (await plain.listTools()).map(({ name }) => name);
  assert.deepEqual(names, ["whoami", "read"]);
  const refused = { name: "RpcError", status: 403 };
  await assert.rejects(plain.callTool("reset"), refused);
  await assert.rejects(plain.callTool("read", { area: "a" }), refused);
  await using full = await clientWith("counters:write a:read");
  assert.equal(textOf(await full.callTool("reset")), "Reset");
  assert.equal(textOf(await full.callTool("read", { area: "a" })), "All of a");
  await using nobody = createTestClient(app);
  await assert.rejects(nobody.callTool("whoami"), { status: 401 });
  await app.close();
});
