import { CallContext } from "../../context/call_context.ts";
import type {
  Completion,
  CompletionCallback,
  CompletionCallbacks,
} from "../../context/completion.ts";
import { ErrorCode, internalError } from "../../errors.ts";
import type { Engine } from "../engine.ts";
import type { Exchange } from "../exchange.ts";
import { isObject, type JsonObject, WireError } from "../json_rpc.ts";
import { checkScopes } from "./call.ts";
import { findResource } from "./run_resource.ts";
import { runHandler, Suspension } from "./round.ts";

const MAX_VALUES = 100;

// Loaded with the first failure.
let failing: typeof import("./failure.ts") | undefined;

/** What is completed. */
interface Completed {
  readonly scopes: readonly string[] | undefined;
  readonly definition: { readonly complete?: CompletionCallbacks | undefined };
}

/**
 * Completes one argument (server, utilities, completion).
 *
 * @returns The JSON of the result.
 * @throws {WireError} -32602 for what it does not know.
 * @throws {ScopeError} When the caller may not use what is completed.
 */
export async function complete(
  engine: Engine,
  exchange: Exchange,
  params: JsonObject,
): Promise<string> {
  const { argument, context } = params;
  if (
    !isObject(argument) || typeof argument.name !== "string" ||
    typeof argument.value !== "string"
  ) {
    throw invalid("argument must have a name and a value, both strings");
  }
  const known = knownArguments(context);
  const { definition, scopes } = findCompleted(engine, params.ref);
  checkScopes(engine, exchange, scopes);
  const callbacks = definition.complete ?? {};
  const callback = Object.hasOwn(callbacks, argument.name)
    ? callbacks[argument.name]
    : undefined;
  const completion = callback === undefined
    ? toCompletion([])
    : await run(exchange, callback, argument.value, known);
  const members = JSON.stringify({ completion });
  return exchange.era === "legacy"
    ? members
    : `{"resultType":"complete",${members.slice(1, -1)}${engine.texts.meta}}`;
}

function findCompleted(engine: Engine, ref: unknown): Completed {
  const { prompts, templates } = engine.catalog;
  const { type, name, uri } = isObject(ref) ? ref : {};
  if (type === "ref/prompt" && typeof name === "string") {
    const prompt = prompts.get(name);
    if (prompt !== undefined) return prompt;
    throw invalid(`Unknown prompt: ${name}`);
  }
  if (type === "ref/resource" && typeof uri === "string") {
    const template = templates.find((candidate) => candidate.uri === uri);
    const found = template ?? findResource(engine, uri)?.resource;
    if (found !== undefined) return found;
    throw invalid(`Unknown resource template: ${uri}`);
  }
  throw invalid(
    "ref must be a ref/prompt with a name or a ref/resource with a uri",
  );
}

/** The arguments that are already known, by name. */
function knownArguments(context: unknown): Readonly<Record<string, string>> {
  if (context === undefined) return {};
  const known = isObject(context) ? context.arguments ?? {} : undefined;
  if (isTexts(known)) return known;
  throw invalid("context.arguments must be an object whose values are strings");
}

function isTexts(value: unknown): value is Record<string, string> {
  return isObject(value) &&
    Object.values(value).every((text) => typeof text === "string");
}

async function run(
  exchange: Exchange,
  callback: CompletionCallback,
  value: string,
  args: Readonly<Record<string, string>>,
): Promise<SentCompletion> {
  const ctx = new CallContext(exchange);
  try {
    const returned = await runHandler(
      () => callback(value, args, ctx),
      undefined,
      ctx,
      exchange,
    );
    if (returned instanceof Suspension) {
      throw internalError("A completion cannot ask for input");
    }
    return toCompletion(returned as Completion);
  } catch (thrown) {
    failing ??= await import("./failure.ts");
    throw failing.wireFailure(exchange, thrown);
  }
}

/** A completion as it is sent. */
interface SentCompletion {
  readonly values: readonly string[];
  readonly total?: number | undefined;
  readonly hasMore: boolean;
}

/** @throws {McpError} When a callback returned something else. */
function toCompletion(returned: Completion): SentCompletion {
  const { values, total, hasMore } = isObject(returned)
    ? returned as Exclude<Completion, readonly string[]>
    : { values: returned, total: returned?.length, hasMore: undefined };
  if (
    !Array.isArray(values) || values.some((value) => typeof value !== "string")
  ) {
    throw internalError("A completion must be a list of strings");
  }
  const sent = values.slice(0, MAX_VALUES);
  // What was cut off is there, whatever the callback says.
  const isCut = values.length > sent.length || (total ?? 0) > sent.length;
  return {
    values: sent,
    total: Number.isSafeInteger(total) ? total : undefined,
    hasMore: isCut || (hasMore ?? false),
  };
}

function invalid(message: string): WireError {
  return new WireError(ErrorCode.InvalidParams, message);
}
