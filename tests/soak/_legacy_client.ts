import {
  type Json,
  MALFORMED,
  readAnswer,
  readEvents,
  textOf,
} from "./_messages.ts";
import type { Deed } from "./_modern_client.ts";
import type { Random } from "./_random.ts";
import { expect, sleep } from "./_tally.ts";

const VERSIONS = ["2025-03-26", "2025-06-18", "2025-11-25"] as const;

/** A client of the 2025 era: one session after the other. */
export class LegacyClient {
  readonly #url: string;
  readonly #random: Random;
  /** Its connections, which end with it. */
  readonly #client: Deno.HttpClient = Deno.createHttpClient({});
  #id = 0;
  #version: string = VERSIONS[0];
  #session: string | undefined;

  constructor(url: string, random: Random) {
    this.#url = url;
    this.#random = random;
  }

  /** What it does. */
  deeds(): readonly Deed[] {
    return [
      ["ping and list", 6, () => this.#look()],
      ["echo", 12, () => this.#echo()],
      ["count in state", 5, () => this.#count()],
      ["follow progress", 5, () => this.#progress()],
      ["answer questions", 4, () => this.#answer()],
      ["cancel", 4, () => this.#cancel()],
      ["listen", 2, () => this.#listen()],
      ["come back to a stream", 3, () => this.#comeBack()],
      ["leave in the middle", 3, () => this.#leave()],
      ["fail", 2, () => this.#fail()],
      ["name a session nobody opened", 2, () => this.#stranger()],
      ["send nonsense", 5, () => this.#nonsense()],
      ["end the session", 3, () => this.#close()],
      // Now and then one is left behind, for its expiry to find.
      ["forget the session", 0.1, () => this.#forget()],
    ];
  }

  /** Ends its session, and lets go of its connections. */
  async end(): Promise<void> {
    try {
      await this.#close();
    } finally {
      this.#client.close();
    }
  }

  /** Ends the session, if there is one. */
  async #close(): Promise<void> {
    if (this.#session === undefined) return;
    const response = await fetch(this.#url, {
      client: this.#client,
      method: "DELETE",
      headers: this.#headers(),
    });
    expect(response.status === 204, `DELETE got ${response.status}`);
    this.#session = undefined;
  }

  #forget(): Promise<void> {
    this.#session = undefined;
    return Promise.resolve();
  }

  #headers(): Record<string, string> {
    return {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(this.#session !== undefined && {
        "mcp-session-id": this.#session,
        "mcp-protocol-version": this.#version,
      }),
    };
  }

  async #post(body: unknown, signal?: AbortSignal): Promise<Response> {
    return await fetch(this.#url, {
      client: this.#client,
      method: "POST",
      headers: this.#headers(),
      body: typeof body === "string" ? body : JSON.stringify(body),
      ...(signal !== undefined && { signal }),
    });
  }

  async #notify(method: string, params: Json = {}): Promise<void> {
    const response = await this.#post({ jsonrpc: "2.0", method, params });
    await response.body?.cancel();
    expect(response.status === 202, `${method} got ${response.status}`);
  }

  async #open(): Promise<void> {
    if (this.#session !== undefined) return;
    this.#version = this.#random.pick(VERSIONS);
    const response = await this.#post({
      jsonrpc: "2.0",
      id: ++this.#id,
      method: "initialize",
      params: {
        protocolVersion: this.#version,
        capabilities: { elicitation: {} },
        clientInfo: { name: "soak", version: "1.0.0" },
      },
    });
    const answer = await readAnswer(response);
    const { protocolVersion } = answer.result as Json;
    expect(protocolVersion === this.#version, `got ${protocolVersion}`);
    this.#session = response.headers.get("mcp-session-id") ?? undefined;
    expect(this.#session !== undefined, "initialize opened no session");
    await this.#notify("notifications/initialized");
  }

  async #request(
    method: string,
    params: Json,
    signal?: AbortSignal,
  ): Promise<Response> {
    await this.#open();
    const id = ++this.#id;
    const response = await this.#post(
      { jsonrpc: "2.0", id, method, params },
      signal,
    );
    expect(response.status === 200, `${method} got ${response.status}`);
    return response;
  }

  async #call(
    name: string,
    args: Json = {},
    meta?: Json,
    onMessage?: (message: Json) => void,
  ): Promise<Json> {
    const response = await this.#request("tools/call", {
      name,
      arguments: args,
      ...(meta !== undefined && { _meta: meta }),
    });
    const id = this.#id;
    const answer = await readAnswer(response, onMessage);
    expect(answer.id === id, `${name} got the answer to ${answer.id}`);
    return answer;
  }

  async #look(): Promise<void> {
    const method = this.#random.pick(["ping", "tools/list"]);
    const answer = await readAnswer(await this.#request(method, {}));
    expect(answer.result !== undefined, `${method} failed`);
  }

  async #echo(): Promise<void> {
    const text = this.#random.word().repeat(this.#random.int(1, 200));
    const answer = await this.#call("echo", { text });
    expect(JSON.parse(textOf(answer)).text === text, "echo answered another");
  }

  async #count(): Promise<void> {
    const key = String(this.#random.int(1, 50));
    const text = textOf(await this.#call("count", { key }));
    expect(/^\d+$/.test(text), `count answered ${text}`);
  }

  async #progress(): Promise<void> {
    const steps = this.#random.int(1, 10);
    let last = 0;
    const answer = await this.#call(
      "progress",
      { steps, size: this.#random.int(0, 1_000) },
      { progressToken: 1 },
      ({ params }) => {
        last = Number((params as Json).progress);
      },
    );
    expect(textOf(answer) === `${steps} steps`, "progress ended early");
    expect(last === steps, `${last} of ${steps} steps were told`);
  }

  async #answer(): Promise<void> {
    const name = this.#random.word();
    const replies: Promise<void>[] = [];
    const answer = await this.#call("ask", {}, undefined, (message) => {
      if (message.method !== "elicitation/create") return;
      const { message: question } = message.params as Json;
      const content = question === "Name?" ? { name } : { size: 7 };
      replies.push(this.#reply(message.id, content));
    });
    await Promise.all(replies);
    expect(textOf(answer) === `${name} 7`, "an answer got lost");
  }

  async #reply(id: unknown, content: Json): Promise<void> {
    const result = { action: "accept", content };
    const response = await this.#post({ jsonrpc: "2.0", id, result });
    await response.body?.cancel();
    expect(response.status === 202, `an answer got ${response.status}`);
  }

  async #cancel(): Promise<void> {
    await this.#open();
    const id = this.#id + 1;
    // Its stream begins when it runs, and not before.
    const response = await this.#request("tools/call", {
      name: "wait",
      arguments: { ms: 20_000 },
      _meta: { progressToken: 1 },
    });
    await sleep(this.#random.int(0, 50));
    await this.#notify("notifications/cancelled", { requestId: id });
    // A cancelled call has no answer, and its response ends all the same.
    const text = await response.text();
    expect(!text.includes("waited"), "a cancelled call went on");
  }

  async #listen(): Promise<void> {
    await this.#open();
    const response = await fetch(this.#url, {
      client: this.#client,
      headers: this.#headers(),
    });
    expect(response.status === 200, `GET got ${response.status}`);
    const change = this.#call("change");
    for await (const { message } of readEvents(response)) {
      if (message?.method === "notifications/tools/list_changed") break;
    }
    await change;
  }

  async #comeBack(): Promise<void> {
    const response = await this.#request("tools/call", {
      name: "progress",
      arguments: { steps: 8, size: 100 },
      _meta: { progressToken: 1 },
    });
    const id = this.#id;
    let last = "";
    let answer: Json | undefined;
    let left = this.#random.int(1, 5);
    for await (const event of readEvents(response)) {
      last = event.id ?? last;
      if (event.message?.id === id) answer = event.message;
      if (--left === 0) break;
    }
    expect(last !== "", "a stream without ids");
    while (answer === undefined) {
      const again: Response = await fetch(this.#url, {
        client: this.#client,
        headers: { ...this.#headers(), "last-event-id": last },
      });
      expect(again.status === 200, `coming back got ${again.status}`);
      for await (const event of readEvents(again)) {
        last = event.id ?? last;
        if (event.message?.id === id) answer = event.message;
      }
    }
    expect(textOf(answer) === "8 steps", "the stream had another answer");
  }

  async #leave(): Promise<void> {
    await this.#open();
    const leaving = new AbortController();
    const timer = setTimeout(() => leaving.abort(), this.#random.int(0, 150));
    try {
      const response = await this.#request(
        "tools/call",
        { name: "progress", arguments: { steps: 300, size: 100 } },
        leaving.signal,
      );
      await response.text();
    } catch (error) {
      if (!leaving.signal.aborted) throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  async #fail(): Promise<void> {
    const answer = await this.#call("fail");
    expect((answer.result as Json).isError === true, "a failure went well");
  }

  async #stranger(): Promise<void> {
    const response = await fetch(this.#url, {
      client: this.#client,
      method: "POST",
      headers: { ...this.#headers(), "mcp-session-id": crypto.randomUUID() },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    });
    await response.body?.cancel();
    expect(response.status === 404, `a stranger got ${response.status}`);
  }

  async #nonsense(): Promise<void> {
    await this.#open();
    const [body, statuses] = this.#random.pick(MALFORMED);
    const response = await this.#post(body);
    const text = await response.text();
    expect(
      statuses.includes(response.status),
      `${body.slice(0, 40)} got ${response.status}`,
    );
    const { error } = JSON.parse(text);
    expect(typeof error.code === "number", `no error: ${text.slice(0, 80)}`);
  }
}
