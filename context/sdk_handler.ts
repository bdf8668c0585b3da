import { internalError } from "../errors.ts";
import type { StandardSchemaV1 } from "../types.ts";
import { issuesText } from "./errors/issues.ts";

type Handler = (input: never, ctx: never) => unknown;

/** A handler as the official SDK takes it: without arguments it is given `ctx` alone. */
export type SdkHandler = Handler | ((ctx: never) => unknown);

/** The schemas of a tool in the SDK's shape. */
interface SdkSchemas {
  readonly inputSchema?: StandardSchemaV1 | undefined;
  readonly outputSchema?: StandardSchemaV1 | undefined;
}

/** Makes a handler of the SDK's one that is called as all others are. */
export function sdkHandler(
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

/** Holds the structure of a whole result to its schema; failures and questions have none. */
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
