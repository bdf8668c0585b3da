import { internalError } from "../errors.ts";
import type { StandardSchemaV1 } from "../types.ts";
import type { EnrichmentShape, HandlerContext } from "./context.ts";
import type { ErrorContract } from "./error_contract.ts";
import { issuesText } from "./errors/issues.ts";
import type { PromptOptions, TypedPrompt } from "./prompt.ts";
import type { ResourceOptions, TypedResource } from "./resource.ts";
import type {
  SdkToolOptions,
  SdkToolReturn,
  ToolDefinition,
  ToolInput,
  ToolOptions,
  TypedTool,
} from "./tool.ts";

/**
 * Defines a tool. Types follow from the schemas.
 *
 * @example A tool
 * ```ts
 * import { tool, z } from "@parley/mcp";
 *
 * export const greet = tool("greet", {
 *   description: "Greet someone.",
 *   input: z.object({ name: z.string() }),
 *   output: z.object({ greeting: z.string() }),
 *   handler: ({ name }) => ({ greeting: `Hello, ${name}` }),
 * });
 * ```
 *
 * @typeParam I The schema of the arguments.
 * @typeParam O The schema of the result.
 * @typeParam C The declared failures.
 * @typeParam E The declared enrichment.
 * @param name 1 to 128 of `A-Z a-z 0-9 _ - . /`; unique within an app.
 * @param options The rest of the definition.
 */
export function tool<
  I extends StandardSchemaV1 | undefined = undefined,
  O extends StandardSchemaV1 | undefined = undefined,
  const C extends readonly ErrorContract[] = [],
  E extends EnrichmentShape = Record<never, never>,
>(
  name: string,
  options: ToolOptions<I, O, C, E>,
  // Without NoInfer, a list of tools would tell each tool in it what it is.
): TypedTool<NoInfer<I>, NoInfer<O>, NoInfer<C>, NoInfer<E>>;
/**
 * Defines a tool as it was registered with the official SDK: the handler apart,
 * its arguments as `inputSchema`, and answers and state on `ctx.mcpReq`.
 *
 * @typeParam I The schema of the arguments.
 * @typeParam O The schema of the structured result.
 * @param name 1 to 128 of `A-Z a-z 0-9 _ - . /`; unique within an app.
 * @param options The definition without its handler.
 * @param handler Does the work. Runs again from the top after each round of
 * input.
 */
export function tool<
  I extends StandardSchemaV1,
  O extends StandardSchemaV1 | undefined = undefined,
>(
  name: string,
  options: SdkToolOptions<I, O> & { inputSchema: I },
  handler: (
    input: ToolInput<NoInfer<I>>,
    ctx: HandlerContext,
  ) => SdkToolReturn<NoInfer<O>>,
): TypedTool<NoInfer<I>, undefined, [], Record<never, never>>;
/**
 * Defines a tool without arguments as it was registered with the official SDK:
 * the handler apart, and given the context alone.
 *
 * @typeParam O The schema of the structured result.
 * @param name 1 to 128 of `A-Z a-z 0-9 _ - . /`; unique within an app.
 * @param options The definition without its handler.
 * @param handler Does the work. Runs again from the top after each round of
 * input.
 */
export function tool<O extends StandardSchemaV1 | undefined = undefined>(
  name: string,
  options: SdkToolOptions<undefined, O>,
  handler: (ctx: HandlerContext) => SdkToolReturn<NoInfer<O>>,
): TypedTool<undefined, undefined, [], Record<never, never>>;
export function tool(
  name: string,
  options: object,
  handler?: SdkHandler,
): ToolDefinition {
  if (handler === undefined) {
    return {
      ...options as Omit<ToolDefinition, "kind" | "name">,
      kind: "tool",
      name,
    };
  }
  const { inputSchema, ...rest } = options as SdkToolOptions<
    StandardSchemaV1,
    StandardSchemaV1
  >;
  return {
    ...rest,
    kind: "tool",
    name,
    input: inputSchema,
    handler: sdkHandler(name, { inputSchema, ...rest }, handler),
  };
}

type Handler = (input: never, ctx: never) => unknown;

/** A handler as the official SDK takes it: without arguments it is given `ctx` alone. */
type SdkHandler = Handler | ((ctx: never) => unknown);

/** The schemas of a tool in the SDK's shape. */
interface SdkSchemas {
  readonly inputSchema?: StandardSchemaV1 | undefined;
  readonly outputSchema?: StandardSchemaV1 | undefined;
}

/** Makes a handler of the SDK's one that is called as all others are. */
function sdkHandler(
  name: string,
  { inputSchema, outputSchema }: SdkSchemas,
  handler: SdkHandler,
): Handler {
  const called = inputSchema === undefined
    ? (_input: never, ctx: never) => (handler as (ctx: never) => unknown)(ctx)
    : handler as Handler;
  if (outputSchema === undefined) return called;
  return async (input, ctx) => {
    const returned = await called(input, ctx);
    await checkStructure(name, outputSchema, returned);
    return returned;
  };
}

/**
 * Holds the structure of a whole result to its schema; failures and questions
 * have none.
 *
 * @throws {McpError} When it is missing, or another one.
 */
async function checkStructure(
  name: string,
  schema: StandardSchemaV1,
  returned: unknown,
): Promise<void> {
  const result = Object(returned) as Readonly<Record<string, unknown>>;
  if (result["isError"] === true) return;
  if (result["resultType"] === "input_required") return;
  const { structuredContent } = result;
  if (structuredContent === undefined) {
    throw internalError(
      `The result of tool "${name}" has no structuredContent, which its output schema wants`,
    );
  }
  const { issues } = await schema["~standard"].validate(structuredContent);
  if (issues !== undefined) {
    throw internalError(
      `The output of tool "${name}" does not match its schema: ${
        issuesText(issues)
      }`,
    );
  }
}

/**
 * Defines a resource: one URI, or a template (RFC 6570) of many.
 *
 * @example A template
 * ```ts
 * import { resource } from "@parley/mcp";
 *
 * export const note = resource("note://{id}", {
 *   name: "note",
 *   mimeType: "text/plain",
 *   handler: ({ id }) => `Note ${id}`,
 * });
 * ```
 *
 * A string is sent as text, bytes as a blob, any other value as JSON text; a
 * whole `ReadResourceResult` is sent as it is.
 *
 * @typeParam U The URI or template, whose variables the handler is given.
 * @typeParam P The schema of the template's variables.
 * @typeParam C The declared failures.
 * @param uri An absolute URI, or a template of such.
 * @param options The rest of the definition.
 */
export function resource<
  const U extends string,
  P extends StandardSchemaV1 | undefined = undefined,
  const C extends readonly ErrorContract[] = [],
>(
  uri: U,
  options: ResourceOptions<P, C, U>,
): TypedResource<NoInfer<P>, NoInfer<C>, NoInfer<U>> {
  return { ...options, kind: "resource", uri, params: options.params as P };
}

/**
 * Defines a prompt.
 *
 * @example A prompt
 * ```ts
 * import { prompt, z } from "@parley/mcp";
 *
 * export const review = prompt("review", {
 *   description: "Review a change.",
 *   args: z.object({ language: z.string() }),
 *   handler: ({ language }) => `Review this ${language} change.`,
 * });
 * ```
 *
 * A string is sent as one message of the user.
 *
 * @typeParam A The schema of the arguments.
 * @typeParam C The declared failures.
 * @param name Unique among the prompts of an app.
 * @param options The rest of the definition.
 */
export function prompt<
  A extends StandardSchemaV1 | undefined = undefined,
  const C extends readonly ErrorContract[] = [],
>(
  name: string,
  options: PromptOptions<A, C>,
): TypedPrompt<NoInfer<A>, NoInfer<C>> {
  return { ...options, kind: "prompt", name, args: options.args as A };
}
