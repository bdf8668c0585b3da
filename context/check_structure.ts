import { internalError } from "../errors.ts";
import type { StandardSchemaV1 } from "../types.ts";
import { issuesText } from "./errors/issues.ts";

/**
 * Holds the structure of a whole result to its schema; failures and questions
 * have none.
 *
 * @throws {McpError} When it is missing, or another one.
 */
export async function checkStructure(
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
