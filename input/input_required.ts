import type {
  CreateMessageRequestParams,
  ElicitRequestFormParams,
  ElicitRequestURLParams,
  InputRequest,
  InputRequests,
  InputRequiredResult,
  StandardSchemaWithJSON,
} from "../types.ts";
import { formSchema } from "./form_schema.ts";
import { isJsonObject, ownValue } from "./_json_schema.ts";
import type { AskSpec } from "./ask.ts";

/** What {@linkcode inputRequired} takes. At least one of the two is needed. */
export interface InputRequiredSpec {
  /** The questions of this round, by the key their answers come back under. */
  inputRequests?: InputRequests;
  /** A string that the client sends back, byte for byte, with its answers. */
  requestState?: string;
}

/** What `inputRequired.elicit` takes: the parameters of a form. */
export type ElicitFormSpec =
  & Omit<ElicitRequestFormParams, "requestedSchema" | "mode">
  & {
    /** Always a form; may be left out. */
    mode?: "form";
    /**
     * The fields of the form: zod, any Standard Schema that also gives JSON
     * Schema, or a form schema in JSON.
     */
    requestedSchema:
      | ElicitRequestFormParams["requestedSchema"]
      | StandardSchemaWithJSON;
  };

/** What `inputRequired.elicitUrl` takes: a page to open, and why. */
export type ElicitUrlSpec = Omit<
  ElicitRequestURLParams,
  "mode" | "elicitationId"
>;

/** The type of {@linkcode inputRequired}. */
export interface InputRequiredBuilder {
  /**
   * Builds the result with which a handler asks for input.
   *
   * @throws {TypeError} When there is neither a request nor a state, or a
   * request is not one that a client can be asked.
   */
  (spec: InputRequiredSpec): InputRequiredResult;

  /**
   * Builds one question that the client shows as a form.
   *
   * The answer is not checked against the schema by anyone on the way: read it
   * with `acceptedContent` and the same schema.
   *
   * @throws {TypeError} When the schema cannot be expressed as a form; names
   * the property and the keyword.
   */
  elicit(params: ElicitFormSpec): InputRequest;

  /**
   * Builds one question that sends the person to a web page. An accepted
   * answer means that the page was opened, not that anything was done there.
   *
   * @throws {TypeError} When `url` is not a valid absolute URL.
   */
  elicitUrl(params: ElicitUrlSpec): InputRequest;

  /** Builds one request to the client's model. */
  createMessage(params: CreateMessageRequestParams): InputRequest;

  /** Builds one request for the client's roots. */
  listRoots(): InputRequest;
}

const METHODS: ReadonlySet<unknown> = new Set([
  "elicitation/create",
  "sampling/createMessage",
  "roots/list",
]);

/**
 * Checks what a handler asks with, whether {@linkcode inputRequired} built it
 * or not: at least one request or a state, and nothing that is neither an
 * elicitation, nor a sampling nor a roots request.
 *
 * Specification: 2026-07-28, basic/patterns/mrtr, server requirements 2 and 6.
 *
 * @throws {TypeError} When it cannot be sent; says why.
 */
export function assertInputRequired(spec: InputRequiredSpec): void {
  const { inputRequests, requestState } = spec;
  if (requestState !== undefined && typeof requestState !== "string") {
    throw new TypeError(
      `Cannot ask for input: \`requestState\` must be a string, not ${typeof requestState}`,
    );
  }
  const keys = Object.keys(inputRequests ?? {});
  if (keys.length === 0 && requestState === undefined) {
    throw new TypeError(
      "Cannot ask for input: inputRequired() needs at least one entry in `inputRequests`, or a `requestState` string",
    );
  }
  for (const key of keys) {
    if (key === "__proto__") {
      throw new TypeError(
        "Cannot ask for input: no answer can come back under the key `__proto__`",
      );
    }
    const request: unknown = inputRequests?.[key];
    if (!isJsonObject(request) || !METHODS.has(request["method"])) {
      throw new TypeError(
        `Cannot ask for input: \`inputRequests.${key}\` must be built with inputRequired.elicit(), elicitUrl(), createMessage() or listRoots()`,
      );
    }
  }
}

function build(spec: InputRequiredSpec): InputRequiredResult {
  assertInputRequired(spec);
  const { inputRequests, requestState } = spec;
  return {
    resultType: "input_required",
    ...(inputRequests !== undefined && { inputRequests }),
    ...(requestState !== undefined && { requestState }),
  };
}

function elicit(params: ElicitFormSpec): InputRequest {
  return {
    method: "elicitation/create",
    params: {
      ...params,
      mode: "form",
      requestedSchema: formSchema(params.requestedSchema),
    },
  };
}

function elicitUrl(params: ElicitUrlSpec): InputRequest {
  if (!URL.canParse(params.url)) {
    throw new TypeError(
      `Cannot send anyone to "${params.url}": \`url\` must be an absolute URL`,
    );
  }
  // The 2025-11-25 revision wants an `elicitationId`; whoever speaks it adds one.
  const asked = { ...params, mode: "url" } as ElicitRequestURLParams;
  return { method: "elicitation/create", params: asked };
}

function createMessage(
  params: CreateMessageRequestParams,
): InputRequest {
  return { method: "sampling/createMessage", params };
}

function listRoots(): InputRequest {
  return { method: "roots/list" };
}

/**
 * Builds the result with which a tool, resource or prompt handler asks for
 * input, and, through its members, the questions in it. The client answers and
 * sends the call again; the handler runs again from the top, with the answers.
 *
 * Specification: 2026-07-28, basic/patterns/mrtr.
 *
 * ```ts
 * import { inputRequired } from "@parley/mcp/input";
 * import { z } from "zod";
 * import assert from "node:assert/strict";
 *
 * const result = inputRequired({
 *   inputRequests: {
 *     confirm: inputRequired.elicit({
 *       message: "Deploy to prod?",
 *       requestedSchema: z.object({ confirm: z.boolean() }),
 *     }),
 *   },
 * });
 * assert.equal(result.resultType, "input_required");
 * ```
 */
export const inputRequired: InputRequiredBuilder = Object.assign(build, {
  elicit,
  elicitUrl,
  createMessage,
  listRoots,
});

/**
 * Builds the request that puts a question.
 *
 * @throws {TypeError} When the question cannot be expressed.
 */
export function buildAskRequest(spec: AskSpec): InputRequest {
  if ("schema" in spec) {
    const { message, schema } = spec;
    return inputRequired.elicit({ message, requestedSchema: schema });
  }
  if ("url" in spec) {
    return inputRequired.elicitUrl({ message: spec.message, url: spec.url });
  }
  return "sampling" in spec
    ? inputRequired.createMessage(spec.sampling)
    : inputRequired.listRoots();
}

/** Options of a request for input. */
export interface RequestInputOptions {
  /**
   * A sentence for callers whose client cannot be asked: how to supply the
   * answer in the call itself. It is put behind the hint of the refusal that
   * a 2025-era client without the capability gets, and used nowhere else.
   *
   * @default undefined
   */
  fallbackHint?: string;
}

/**
 * What `ctx.requestInput` throws to leave a handler. It says that the call
 * waits for an answer, which is no failure, so it is not an `Error`: code that
 * retries or classifies errors has no reason to touch it. It is never logged
 * and never sent; the call answers with {@linkcode InputRequiredSignal.result}.
 */
export class InputRequiredSignal {
  /** Always `"InputRequiredSignal"`. */
  readonly name = "InputRequiredSignal";
  /** What it means, for whoever prints a caught value. */
  readonly message = "The call waits for input from the client";
  /** What the call answers with. */
  readonly result: InputRequiredResult;
  /** The options given with the request. */
  readonly options: RequestInputOptions;

  /**
   * Makes the signal.
   *
   * @param result What the call answers with.
   * @param options The options given with the request.
   */
  constructor(
    result: InputRequiredResult,
    options: RequestInputOptions = {},
  ) {
    this.result = result;
    this.options = options;
  }

  /** Says what it is, where it is printed by mistake. */
  toString(): string {
    return `${this.name}: ${this.message}`;
  }
}

/**
 * Tells whether what a handler returned asks for input, by its
 * `resultType: "input_required"`. A literal built by hand counts too.
 */
export function isInputRequiredResult(
  value: unknown,
): value is InputRequiredResult {
  return isJsonObject(value) &&
    ownValue(value, "resultType") === "input_required";
}
