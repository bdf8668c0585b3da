import {
  type Json,
  MALFORMED,
  readAnswer,
  readEvents,
  textOf,
} from "./_messages.ts";
import type { Random } from "./_random.ts";
import { expect, sleep } from "./_tally.ts";

const META = "io.modelcontextprotocol";
const VERSION = "2026-07-28";

/** Something a client does; its name, how often, and how. */
export type Deed = readonly [string, number, () => Promise<void>];

/** A client of the 2026-07-28 revision, with bad manners now and then. */
export class ModernClient {
  readonly #url: string;
  readonly #random: Random;
  /** Its connections, which end with it. */
  readonly #client: Deno.HttpClient = Deno.createHttpClient({});
  #id = 0;

  constructor(url: string, random: Random) {
    this.#url = url;
    this.#random = random;
  }

  /** What it does. */
  deeds(): readonly Deed[] {
    return [
      ["discover and list", 6, () => this.#look()],
      ["echo", 12, () => this.#echo()],
      ["count in state", 5, () => this.#count()],
      ["follow progress", 6, () => this.#progress()],
      ["answer questions", 4, () => this.#answer()],
      ["consent once", 3, () => this.#consent()],
      ["listen", 2, () => this.#listen()],
      ["read slowly", 1, () => this.#readSlowly()],
      ["fail", 2, () => this.#fail()],
      ["leave in the middle", 6, () => this.#leave()],
      ["hang up while sending", 2, () => this.#hangUp()],
      ["send nonsense", 6, () => this.#nonsense()],
    ];
  }

  /** Lets go of its connections. */
  end(): Promise<void> {
    this.#client.close();
    return Promise.resolve();
  }

  #request(
    method: string,
    params: Json,
    signal?: AbortSignal,
    meta: Json = {},
  ): Promise<Response> {
    const name = params.name;
    return fetch(this.#url, {
      client: this.#client,
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": VERSION,
        "mcp-method": method,
        ...(typeof name === "string" && { "mcp-name": name }),
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: ++this.#id,
        method,
        params: {
          ...params,
          _meta: {
            [`${META}/protocolVersion`]: VERSION,
            [`${META}/clientCapabilities`]: { elicitation: { form: {} } },
            ...meta,
          },
        },
      }),
      ...(signal !== undefined && { signal }),
    });
  }

  async #call(
    name: string,
    args: Json = {},
    more: Json = {},
    meta: Json = {},
    onMessage?: (message: Json) => void,
  ): Promise<Json> {
    const params = { name, arguments: args, ...more };
    const response = await this.#request("tools/call", params, undefined, meta);
    const id = this.#id;
    expect(response.status === 200, `${name} got ${response.status}`);
    const answer = await readAnswer(response, onMessage);
    expect(answer.id === id, `${name} got the answer to ${answer.id}`);
    return answer;
  }

  async #look(): Promise<void> {
    const method = this.#random.pick(["server/discover", "tools/list"]);
    const response = await this.#request(method, {});
    const answer = await readAnswer(response);
    expect(answer.result !== undefined, `${method} failed`);
  }

  async #echo(): Promise<void> {
    const text = this.#random.word().repeat(this.#random.int(1, 200));
    const answer = await this.#call("echo", { text });
    const { structuredContent } = answer.result as {
      structuredContent: { text: string };
    };
    expect(structuredContent.text === text, "echo answered another call");
  }

  async #count(): Promise<void> {
    const key = String(this.#random.int(1, 50));
    const text = textOf(await this.#call("count", { key }));
    expect(/^\d+$/.test(text), `count answered ${text}`);
  }

  async #progress(): Promise<void> {
    const steps = this.#random.int(1, 10);
    const token = this.#random.word();
    let last = 0;
    const answer = await this.#call(
      "progress",
      { steps, size: this.#random.int(0, 1_000) },
      {},
      { progressToken: token, [`${META}/logLevel`]: "info" },
      (message) => {
        const { progressToken, progress } = message.params as Json;
        expect(progressToken === token, "progress of another call");
        expect(Number(progress) > last, "progress that goes back");
        last = Number(progress);
      },
    );
    expect(textOf(answer) === `${steps} steps`, "progress ended early");
    expect(last === steps, `${last} of ${steps} steps were told`);
  }

  /** The next round of a call that asked something. */
  async #reply(
    asked: Json,
    name: string,
    args: Json,
    answers: Json,
  ): Promise<Json> {
    const { resultType, requestState } = asked.result as Json;
    expect(resultType === "input_required", `${name} did not ask`);
    return await this.#call(name, args, {
      requestState,
      inputResponses: Object.fromEntries(
        Object.entries(answers).map(([key, content]) => [
          key,
          { action: "accept", content },
        ]),
      ),
    });
  }

  async #answer(): Promise<void> {
    const name = this.#random.word();
    const first = await this.#call("ask");
    const second = await this.#reply(first, "ask", {}, { name: { name } });
    const last = await this.#reply(second, "ask", {}, { size: { size: 7 } });
    expect(textOf(last) === `${name} 7`, "an answer got lost");
  }

  async #consent(): Promise<void> {
    const args = { path: `/${this.#random.word()}` };
    const answers = { sure: { sure: true } };
    const asked = await this.#call("wipe", args);
    const done = await this.#reply(asked, "wipe", args, answers);
    expect(textOf(done) === `wiped ${args.path}`, "consent was not enough");
    const again = await this.#reply(asked, "wipe", args, answers);
    const { resultType } = again.result as Json;
    expect(resultType === "input_required", "consent counted twice");
  }

  async #listen(): Promise<void> {
    const response = await this.#request("subscriptions/listen", {
      notifications: { toolsListChanged: true },
    });
    let heard = 0;
    for await (const { message } of readEvents(response)) {
      expect(message !== undefined, "an event without data");
      const { method } = message;
      if (method === "notifications/subscriptions/acknowledged") {
        await this.#call("change");
      } else {
        expect(
          method === "notifications/tools/list_changed",
          `heard ${method}`,
        );
      }
      if (++heard === 2) break;
    }
    expect(heard === 2, "a subscription ended early");
  }

  async #readSlowly(): Promise<void> {
    const response = await this.#request(
      "tools/call",
      { name: "progress", arguments: { steps: 40, size: 20_000 } },
      undefined,
      { progressToken: 1 },
    );
    let last = 0;
    let ended = false;
    for await (const { message } of readEvents(response)) {
      const params = message?.params as Json | undefined;
      if (params === undefined) ended = true;
      else last = Number(params.progress);
      await sleep(this.#random.int(0, 20));
    }
    expect(ended && last === 40, "a slow reader missed something");
  }

  async #fail(): Promise<void> {
    const answer = await this.#call("fail");
    expect((answer.result as Json).isError === true, "a failure went well");
  }

  async #leave(): Promise<void> {
    const leaving = new AbortController();
    const timer = setTimeout(
      () => leaving.abort(),
      this.#random.int(0, 150),
    );
    const [name, args] = this.#random.pick(
      [
        ["wait", { ms: 5_000 }],
        ["progress", { steps: 300, size: 100 }],
      ] as const,
    );
    try {
      const response = await this.#request(
        "tools/call",
        { name, arguments: args },
        leaving.signal,
        { progressToken: 1, [`${META}/logLevel`]: "info" },
      );
      await response.text();
      throw new Error("a call that was left went on");
    } catch (error) {
      if (!leaving.signal.aborted) throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  async #hangUp(): Promise<void> {
    const { hostname, port, pathname } = new URL(this.#url);
    const connection = await Deno.connect({ hostname, port: Number(port) });
    const head = [
      `POST ${pathname} HTTP/1.1`,
      `Host: ${hostname}:${port}`,
      "Content-Type: application/json",
      this.#random.pick(["Content-Length: 5000", "Transfer-Encoding: chunked"]),
      "",
      '{"jsonrpc":',
    ].join("\r\n");
    await connection.write(new TextEncoder().encode(head));
    await sleep(this.#random.int(0, 50));
    connection.close();
  }

  async #nonsense(): Promise<void> {
    const [body, statuses] = this.#random.pick(MALFORMED);
    const response = await fetch(this.#url, {
      client: this.#client,
      method: "POST",
      headers: {
        "content-type": "application/json",
        "mcp-protocol-version": VERSION,
      },
      body,
    });
    const text = await response.text();
    expect(
      statuses.includes(response.status),
      `${body.slice(0, 40)} got ${response.status}`,
    );
    const { error } = JSON.parse(text);
    expect(typeof error.code === "number", `no error: ${text.slice(0, 80)}`);
  }
}
