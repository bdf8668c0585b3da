/** Sends each round of a call by hand, so that one can be sent again. */
import {
  type CallToolResult,
  type Client,
  type InputRequiredResult,
  isInputRequiredResult,
} from "@modelcontextprotocol/client";

/** The server asks before it acts. */
export interface Question {
  /** Tells the two outcomes apart. */
  readonly kind: "question";
  /** The file the call is about. */
  readonly path: string;
  /** What a person is asked. */
  readonly message: string;
  /** What has to come back with the answer. */
  readonly requestState: string | undefined;
}

/** What one round of a call came to. */
export type Outcome = Question | {
  /** The call is over. */
  readonly kind: "result";
  /** Whether it failed. */
  readonly isError: boolean;
} | {
  /** The call is over, and nothing was done. */
  readonly kind: "refusal";
};

/** A client whose rounds are sent one by one. */
export class Retries {
  constructor(readonly client: Client) {}

  /** The first round: the server has to ask. */
  async ask(path: string): Promise<Question> {
    const outcome = await this.#round(path, {});
    if (outcome.kind === "question") return outcome;
    throw new Error(`The server acted on ${path} without asking`);
  }

  /** A retry with a yes; the same question gives the same retry each time. */
  answer({ path, requestState }: Question): Promise<Outcome> {
    const confirm = { action: "accept", content: { confirm: true } };
    return this.#round(path, { inputResponses: { confirm }, requestState });
  }

  /** Lets go of the connection. */
  close(): Promise<void> {
    return this.client.close();
  }

  async #round(path: string, retry: object): Promise<Outcome> {
    const params = { name: "delete_path", arguments: { path }, ...retry };
    const result = await this.client.request(
      { method: "tools/call", params },
      { allowInputRequired: true },
    ) as CallToolResult | InputRequiredResult;
    if (!isInputRequiredResult(result)) {
      return result.isError ? { kind: "refusal" } : {
        kind: "result",
        isError: false,
      };
    }
    const [request] = Object.values(result.inputRequests ?? {});
    const { message = "" } = request?.params as { message?: string };
    return {
      kind: "question",
      path,
      message,
      requestState: result.requestState,
    };
  }
}
