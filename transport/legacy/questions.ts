import {
  ErrorCode,
  invalidRequest,
  type McpError,
  serviceUnavailable,
  timeout,
} from "../../errors.ts";
import type { InputRequest, InputRequests } from "../../types.ts";
import type { Exchange } from "../exchange.ts";
import {
  isObject,
  notificationMessage,
  type RequestId,
  type RpcResponse,
  wellFormed,
} from "../json_rpc.ts";

/** How long the questions of one round may stand, in milliseconds. */
const ROUND_MS = 600_000;

/** Characters of a question's key that are kept in its id. */
const MAX_NAME = 256;

/** One round of questions. */
export interface QuestionRound {
  /** The call that asks. */
  readonly exchange: Exchange;
  /** The questions, by key. */
  readonly requests: InputRequests;
  /** The revision the client speaks. */
  readonly version: string;
  /** Whose answers count: a session, or the connection itself. */
  readonly owner: string;
  /**
   * Sends a message to the client, on the stream of the call.
   *
   * @returns Whether it was taken.
   */
  send(message: string): boolean;
}

/** A question without an answer. */
interface Pending {
  readonly owner: string;
  answer(response: RpcResponse): void;
  fail(error: unknown): void;
}

/**
 * The questions that clients of the 2025 era were asked and have not answered
 * (2025-11-25, client). Ids are unique beyond this process, so that an answer
 * finds its question wherever it arrives.
 */
export class Questions {
  /** What the ids of all questions asked here begin with. */
  readonly prefix: string;
  readonly #pending = new Map<RequestId, Pending>();
  #asked = 0;

  /** @param prefix What ids begin with. */
  constructor(prefix: string) {
    this.prefix = prefix;
  }

  /** How many have no answer. */
  get size(): number {
    return this.#pending.size;
  }

  /**
   * Takes the answer to a question.
   *
   * @returns Whether it was asked here, of this owner.
   */
  answer(owner: string, response: RpcResponse): boolean {
    const pending = this.#pending.get(response.id);
    if (pending === undefined || pending.owner !== owner) return false;
    this.#pending.delete(response.id);
    pending.answer(response);
    return true;
  }

  /** Whether an id is of a question that was put here. */
  asked(id: RequestId): boolean {
    return typeof id === "string" && id.startsWith(this.prefix);
  }

  /** Gives up on every question. */
  failAll(error: unknown): void {
    for (const pending of [...this.#pending.values()]) pending.fail(error);
  }

  /**
   * Asks a round of questions, all at once, and waits for every answer. What
   * goes wrong with one of them ends the others, and their clients are told.
   *
   * @returns The results, by key.
   * @throws {McpError} When the client answers with an error, or not in time.
   * @throws The reason, when the call is cancelled.
   */
  ask(round: QuestionRound): Promise<Record<string, unknown>> {
    const { exchange, version, owner } = round;
    const signal = exchange.signal();
    const requests = Object.entries(round.requests);
    const results: Record<string, unknown> = {};
    const open = new Set<RequestId>();

    return new Promise((resolve, reject) => {
      const fail = (error: unknown) => {
        stop();
        for (const id of open) {
          this.#pending.delete(id);
          round.send(cancelledMessage(id));
        }
        reject(error);
      };
      const onAbort = () => fail(signal.reason);
      const timer = setTimeout(() => fail(noAnswer()), ROUND_MS);
      const stop = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
      };
      if (signal.aborted) return onAbort();
      signal.addEventListener("abort", onAbort, { once: true });
      // All are known before the first is sent: an answer may come at once.
      const messages = requests.map(([key, request]) => {
        // With its key, so that whoever reads the messages knows which it is.
        const name = encodeURIComponent(key.toWellFormed()).slice(0, MAX_NAME);
        const id = `${this.prefix}${++this.#asked}.${name}`;
        open.add(id);
        this.#pending.set(id, {
          owner,
          fail,
          answer(response) {
            open.delete(id);
            if (!("result" in response)) return fail(refused(key, response));
            results[key] = response.result;
            if (open.size > 0) return;
            stop();
            resolve(results);
          },
        });
        return requestMessage(id, request, version);
      });
      for (const message of messages) {
        if (!round.send(message)) return fail(notRead());
      }
    });
  }
}

/** Writes a question as a request of the revision. */
function requestMessage(
  id: string,
  { method, params }: InputRequest,
  version: string,
): string {
  const sent = method === "elicitation/create" && isObject(params)
    ? elicitParams(params, version)
    : params;
  return wellFormed(
    JSON.stringify({ jsonrpc: "2.0", id, method, params: sent }),
  );
}

/**
 * Modes and dialects of forms came with 2025-11-25, and pages have an id in
 * that revision only.
 */
function elicitParams(
  params: Record<string, unknown>,
  version: string,
): Record<string, unknown> {
  if (params.mode === "url") {
    return { elicitationId: crypto.randomUUID(), ...params };
  }
  if (version >= "2025-11-25") return params;
  const { mode: _, requestedSchema, ...older } = params;
  if (!isObject(requestedSchema)) return older;
  const { $schema: __, ...form } = requestedSchema;
  return { ...older, requestedSchema: form };
}

function cancelledMessage(requestId: RequestId): string {
  const params = { requestId, reason: "The answer is no longer needed" };
  return notificationMessage("notifications/cancelled", JSON.stringify(params));
}

function noAnswer(): McpError {
  return timeout(
    `The client did not answer within ${ROUND_MS / 60_000} minutes`,
    { reason: "input_timeout" },
  );
}

function notRead(): McpError {
  return serviceUnavailable(
    "Cannot ask the client for input: it does not read its stream",
    { reason: "input_not_sent" },
  );
}

/** The client could not answer, or would not. */
function refused(key: string, { error }: RpcResponse): McpError {
  const { code, message } = isObject(error) ? error : {};
  const said = typeof message === "string" ? `: ${message}` : "";
  return invalidRequest(
    `The client did not answer the question "${key}"${said}`,
    {
      reason: "input_failed",
      key,
      clientCode: Number.isInteger(code) ? code : ErrorCode.InternalError,
    },
  );
}

/** Whether an id has the form of those that sessions are asked with. */
export function isQuestionId(id: RequestId): boolean {
  return typeof id === "string" && /^[0-9a-f]{32}-\d{1,15}\./.test(id);
}
