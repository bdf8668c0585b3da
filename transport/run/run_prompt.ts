import { CallContext } from "../../context/call_context.ts";
import { issuesText } from "../../context/errors/issues.ts";
import { internalError, invalidParams } from "../../errors.ts";
import type { CompiledPrompt } from "../catalog/compile_prompt.ts";
import type { Engine } from "../engine.ts";
import type { Exchange } from "../exchange.ts";
import { isObject, type JsonObject } from "../json_rpc.ts";
import type { CallAnswer } from "./handler_call.ts";
import { isPromptMessage, jsonOf, metaText } from "./result_text.ts";
import { runHandler, Suspension } from "./round.ts";

// Loaded with the first failure.
let failing: typeof import("./failure.ts") | undefined;

/**
 * Fetches a prompt once (server, prompts).
 *
 * @returns The JSON of its result, or its questions.
 * @throws {WireError} When it fails.
 */
export async function runPrompt(
  engine: Engine,
  exchange: Exchange,
  prompt: CompiledPrompt,
  args: unknown,
): Promise<CallAnswer> {
  try {
    const ctx = new CallContext(exchange);
    const input = await checkedArgs(prompt, args);
    const returned = await runHandler(prompt.handler, input, ctx, exchange);
    if (returned instanceof Suspension) return returned;
    const owner = `prompt "${prompt.name}"`;
    const { resultType: _, ...result } = toPromptResult(prompt, returned);
    if (exchange.era === "legacy") return jsonOf(result, owner);
    const { _meta, ...rest } = result;
    const members = jsonOf(rest, owner).slice(1, -1);
    return `{"resultType":"complete",${members}${
      metaText(engine, _meta, owner)
    }}`;
  } catch (thrown) {
    failing ??= await import("./failure.ts");
    failing.rethrowProtocolError(exchange, thrown, prompt.scopes);
    throw failing.wireFailure(exchange, thrown);
  }
}

async function checkedArgs(
  prompt: CompiledPrompt,
  args: unknown,
): Promise<unknown> {
  if (prompt.validateArgs === undefined) return args;
  const outcome = await prompt.validateArgs(args);
  if (outcome.issues === undefined) return outcome.value;
  throw invalidParams(
    `Invalid arguments for prompt "${prompt.name}": ${
      issuesText(outcome.issues)
    }`,
    { reason: "invalid_arguments" },
  );
}

function toPromptResult(
  prompt: CompiledPrompt,
  returned: unknown,
): JsonObject {
  const { description } = prompt.definition;
  if (typeof returned === "string") {
    const content = { type: "text", text: returned };
    return { description, messages: [{ role: "user", content }] };
  }
  const result = isObject(returned) && "messages" in returned ? returned : {
    description,
    messages: Array.isArray(returned) ? returned : [returned],
  };
  const { messages } = result;
  if (Array.isArray(messages) && messages.every(isPromptMessage)) return result;
  throw internalError(
    `Prompt "${prompt.name}" returned neither text, messages nor a result`,
  );
}
