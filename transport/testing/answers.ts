import { isObject, type JsonObject } from "../json_rpc.ts";

/** A question of the server, as the client sees it. */
export interface Question {
  /** The key the handler asked under. */
  readonly key: string;
  /** What is asked for. */
  readonly method: string;
  /** The parameters, such as `message` and `requestedSchema`. */
  readonly params: Readonly<Record<string, unknown>>;
}

/**
 * One answer: the content of a form, which is thereby accepted; `"accept"`,
 * `"decline"` or `"cancel"`; or a whole result, such as
 * `{ action: "accept", content }`, `{ roots }` or that of a model.
 */
export type ScriptedAnswer =
  | "accept"
  | "decline"
  | "cancel"
  | Readonly<Record<string, unknown>>;

/** Gives the answer to a question, now or later. */
export type AnswerFunction = (
  question: Question,
) => ScriptedAnswer | Promise<ScriptedAnswer>;

/**
 * The answers to all questions: by key, or from one function. A list under a
 * key is used up in order, for a question that is put more than once.
 */
export type Answers =
  | AnswerFunction
  | Readonly<
    Record<string, ScriptedAnswer | AnswerFunction | readonly ScriptedAnswer[]>
  >;

/** Answers questions as the script says. */
export class AnswerScript {
  readonly #answers: Answers;
  readonly #onQuestion: (question: Question) => void;
  readonly #used = new Map<string, number>();

  /**
   * @param answers The script.
   * @param onQuestion Told of each question.
   */
  constructor(answers: Answers, onQuestion: (question: Question) => void) {
    this.#answers = answers;
    this.#onQuestion = onQuestion;
  }

  /**
   * Gives the result to answer a question with.
   *
   * @throws {Error} When the script has no answer to it.
   */
  async answer(question: Question): Promise<JsonObject> {
    this.#onQuestion(question);
    const answer = await this.#find(question);
    if (answer === undefined) {
      throw new Error(
        `Cannot answer the question "${question.key}" (${question.method}): the script has no answer to it`,
      );
    }
    return resultOf(question, answer);
  }

  #find(
    question: Question,
  ): ScriptedAnswer | Promise<ScriptedAnswer> | undefined {
    if (typeof this.#answers === "function") return this.#answers(question);
    const { key } = question;
    if (!Object.hasOwn(this.#answers, key)) return undefined;
    const scripted = this.#answers[key];
    if (typeof scripted === "function") return scripted(question);
    if (!isList(scripted)) return scripted;
    const used = this.#used.get(key) ?? 0;
    this.#used.set(key, used + 1);
    return scripted[used];
  }
}

const ACTIONS: readonly unknown[] = ["accept", "decline", "cancel"];

function resultOf({ method }: Question, answer: ScriptedAnswer): JsonObject {
  if (typeof answer === "string") return { action: answer };
  if (method !== "elicitation/create" || ACTIONS.includes(answer.action)) {
    return answer;
  }
  return { action: "accept", content: answer };
}

function isList(value: unknown): value is readonly ScriptedAnswer[] {
  return Array.isArray(value);
}

/** Reads a question from the request it came as. */
export function questionOf(key: string, request: unknown): Question {
  const { method, params } = isObject(request) ? request : {};
  return {
    key,
    method: String(method),
    params: isObject(params) ? params : {},
  };
}
