import assert from "node:assert/strict";

/** A notification. */
export interface Heard {
  readonly method: string;
  readonly params?: unknown;
}

/** What a visit needs of a client, whichever of the official ones it is. */
export interface VisitingClient {
  /** Its methods, as they are; their types differ between the two. */
  // deno-lint-ignore no-explicit-any -- two libraries, one test
  readonly client: any;
  /** Calls a tool, with the options of a request. */
  // deno-lint-ignore no-explicit-any -- as above
  callTool(name: string, options?: any): Promise<any>;
  /** Notifications, as they come. */
  readonly heard: Heard[];
}

/** What can be expected of the connection. */
export interface VisitOptions {
  /** Whether the client can be asked, and hears of changes. */
  readonly session: boolean;
}

/** Drives a client through everything that the exhibition shows. */
export async function visit(
  visitor: VisitingClient,
  { session }: VisitOptions,
): Promise<void> {
  const { client } = visitor;
  assert.deepEqual(client.getServerVersion(), {
    name: "exhibition",
    version: "3.2.1",
  });
  assert.equal(client.getInstructions(), "Look around.");
  await client.ping();
  // Clients that have listed the tools hold results against their schemas.
  const { tools } = await client.listTools();
  assert.equal(tools.length, 9);
  await seeTools(client);
  await seeResourcesAndPrompts(client);
  await seeProgressAndLogs(visitor);
  if (session) await beAsked(visitor);
  else await beRefused(visitor);
  // Without a session nobody knows which call a cancellation is of.
  if (session) await hearOfChanges(visitor);
  if (session) await cancel(visitor);
}

/** How a visitor answers what it is asked. */
export const ANSWERS = {
  elicit(params: { mode?: string | undefined; message: string }) {
    if (params.mode === "url") return { action: "accept" as const };
    if (params.message === "Refuse!") return { action: "decline" as const };
    return { action: "accept" as const, content: { name: "Ada" } };
  },
  sample() {
    return {
      role: "assistant" as const,
      model: "m",
      content: { type: "text" as const, text: "Ha" },
    };
  },
  roots() {
    return { roots: [{ uri: "file:///home" }] };
  },
};

export const VISITOR_CAPABILITIES = {
  elicitation: { form: {}, url: {} },
  sampling: {},
  roots: { listChanged: true },
};

// deno-lint-ignore no-explicit-any -- as above
async function seeTools(client: any): Promise<void> {
  const greeted = await client.callTool({
    name: "greet",
    arguments: { name: "Bob" },
  });
  assert.deepEqual(greeted.structuredContent, { greeting: "Hello, Bob" });
  assert.deepEqual(greeted.content, [
    { type: "text", text: '{"greeting":"Hello, Bob"}' },
  ]);
  for (
    const [name, args, code] of [
      ["broken", {}, 404],
      ["misfit", {}, -32603],
      ["greet", { name: 1 }, -32602],
    ] as const
  ) {
    const failed = await client.callTool({ name, arguments: args });
    assert.equal(failed.isError, true, name);
    assert.equal(failed._meta["parley/error"].code, code, name);
  }
  await assert.rejects(client.callTool({ name: "none" }), { code: -32602 });
}

// deno-lint-ignore no-explicit-any -- as above
async function seeResourcesAndPrompts(client: any): Promise<void> {
  const { resources } = await client.listResources();
  assert.deepEqual(resources.map(({ uri }: { uri: string }) => uri), [
    "test://fixed",
  ]);
  const { resourceTemplates } = await client.listResourceTemplates();
  assert.equal(resourceTemplates[0].uriTemplate, "test://note/{id}");
  const { contents } = await client.readResource({ uri: "test://fixed" });
  assert.equal(contents[0].text, "text");
  for (const uri of ["test://none", "test://note/none"]) {
    // The second version of the client gives the code of 2026-07-28 for it.
    await assert.rejects(
      client.readResource({ uri }),
      ({ code }: { code: number }) => code === -32002 || code === -32602,
    );
  }
  const { prompts } = await client.listPrompts();
  assert.equal(prompts[0].name, "letter");
  const { messages } = await client.getPrompt({
    name: "letter",
    arguments: { to: "Eve" },
  });
  assert.equal(messages[0].content.text, "Dear Eve");
  const { completion } = await client.complete({
    ref: { type: "ref/prompt", name: "letter" },
    argument: { name: "to", value: "A" },
  });
  assert.deepEqual(completion.values, ["Ada"]);
}

async function seeProgressAndLogs(
  { client, callTool, heard }: VisitingClient,
): Promise<void> {
  const seen: unknown[] = [];
  const counted = await callTool("count", {
    onprogress: (progress: unknown) => seen.push(progress),
  });
  assert.equal(counted.content[0].text, "counted");
  assert.deepEqual(
    seen,
    [1, 2, 3].map((progress) => ({
      progress,
      total: 3,
      message: `step ${progress}`,
    })),
  );
  await client.setLoggingLevel("warning");
  heard.length = 0;
  await callTool("chat");
  const logs = heard.filter(({ method }) => method === "notifications/message");
  assert.ok(logs.length <= 2);
  assert.deepEqual(
    (logs.at(-1)?.params as { data: unknown }).data,
    { message: "beware", reason: "test" },
  );
}

async function beAsked(
  { client, callTool }: VisitingClient,
): Promise<void> {
  const { content } = await callTool("interview");
  assert.deepEqual(JSON.parse(content[0].text), [
    "Ada",
    { type: "text", text: "Ha" },
    "file:///home",
    "accept",
  ]);
  const refused = await callTool("declined");
  assert.equal(refused.isError, true);
  assert.equal(
    refused.structuredContent.error.data.reason,
    "input_declined",
  );
  const { messages } = await client.getPrompt({ name: "letter" });
  assert.equal(messages[0].content.text, "Dear Ada");
  const { contents } = await client.readResource({ uri: "test://note/a" });
  assert.equal(contents[0].text, "Note a by Ada");
}

async function beRefused(
  { client, callTool }: VisitingClient,
): Promise<void> {
  const refused = await callTool("interview");
  assert.equal(
    refused.structuredContent.error.data.reason,
    "client_capability_missing",
  );
  for (
    const asking of [
      client.getPrompt({ name: "letter" }),
      client.readResource({ uri: "test://note/a" }),
    ]
  ) {
    await assert.rejects(asking, { code: -32600 });
  }
}

async function hearOfChanges(
  { client, callTool, heard }: VisitingClient,
): Promise<void> {
  await client.subscribeResource({ uri: "test://note/a" });
  heard.length = 0;
  await callTool("touch");
  await until(() => heard.length >= 4);
  const methods = heard.map(({ method }) => method);
  assert.deepEqual(
    new Set(methods),
    new Set([
      "notifications/tools/list_changed",
      "notifications/prompts/list_changed",
      "notifications/resources/list_changed",
      "notifications/resources/updated",
    ]),
  );
  const updated = heard.find(({ method }) => method.endsWith("updated"));
  assert.deepEqual(updated?.params, { uri: "test://note/a" });
  await client.unsubscribeResource({ uri: "test://note/a" });
  await client.subscribeResource({ uri: "test://cancelled" });
}

async function cancel(
  { client, callTool }: VisitingClient,
): Promise<void> {
  const controller = new AbortController();
  const waiting = callTool("wait", { signal: controller.signal });
  await new Promise((resolve) => setTimeout(resolve, 50));
  controller.abort(new Error("Enough"));
  await assert.rejects(waiting);
  await client.ping();
}

async function until(condition: () => boolean): Promise<void> {
  for (let i = 0; i < 500 && !condition(); i++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.ok(condition());
}
