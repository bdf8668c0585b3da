import { CallContext } from "../../context/call_context.ts";
import type {
  Completion,
  CompletionCallback,
  CompletionCallbacks,
} from "../../context/completion.ts";
import { internalError } from "../../errors.ts";
import { ErrorCode } from "../../errors.ts";
import type { Engine } from "../engine.ts";
import type { Exchange } from "../exchange.ts";
import { isObject, type JsonObject, WireError } from "../json_rpc.ts";
import { wireFailure } from "./failure.ts";
import { findResource } from "./run_resource.ts";
import { runHandler, Suspension } from "./round.ts";

const MAX_VALUES = 100;

/**
 * Completes one argument (server, utilities, completion).
 *
 * @returns The JSON of the result.
 * @throws {WireError} -32602 for what it does not know.
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
  const callbacks = callbacksOf(engine, params.ref);
  const callback = Object.hasOwn(callbacks, argument.name)
    ? callbacks[argument.name]
    : undefined;
  const completion = callback === undefined
    ? []
    : await run(exchange, callback, argument.value, context);
  const { values, total, hasMore } = normalize(completion);
  const members = JSON.stringify({
    completion: {
      values: values.slice(0, MAX_VALUES),
      total: total ?? values.length,
      hasMore: hasMore ?? values.length > MAX_VALUES,
    },
  });
  return exchange.era === "legacy"
    ? members
    : `{"resultType":"complete",${members.slice(1, -1)}${engine.texts.meta}}`;
}

function callbacksOf(engine: Engine, ref: unknown): CompletionCallbacks {
  const { prompts, templates } = engine.catalog;
  if (isObject(ref) && ref.type === "ref/prompt") {
    const prompt = prompts.get(String(ref.name));
    if (prompt !== undefined) return prompt.definition.complete ?? {};
    throw invalid(`Unknown prompt: ${ref.name}`);
  }
  if (isObject(ref) && ref.type === "ref/resource") {
    const uri = String(ref.uri);
    const template = templates.find((candidate) => candidate.uri === uri);
    const found = template ?? findResource(engine, uri)?.resource;
    if (found !== undefined) return found.definition.complete ?? {};
    throw invalid(`Unknown resource template: ${uri}`);
  }
  throw invalid("ref must be a ref/prompt or a ref/resource");
}

async function run(
  exchange: Exchange,
  callback: CompletionCallback,
  value: string,
  context: unknown,
): Promise<Completion> {
  const known = isObject(context) && isObject(context.arguments)
    ? context.arguments
    : {};
  const args: Record<string, string> = Object.fromEntries(
    Object.entries(known).filter((entry): entry is [string, string] =>
      typeof entry[1] === "string"
    ),
  );
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
    return returned as Completion;
  } catch (thrown) {
    throw wireFailure(exchange, thrown);
  }
}

function normalize(
  completion: Completion,
): { values: readonly string[]; total?: number; hasMore?: boolean } {
  if (Array.isArray(completion)) return { values: completion };
  return completion as { values: readonly string[] };
}

function invalid(message: string): WireError {
  return new WireError(ErrorCode.InvalidParams, message);
}
