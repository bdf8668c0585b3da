import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";

/**
 * The smallest Standard Schema there is: it gives the JSON Schema it was made
 * of, whatever that is, and lets every value through.
 */
export function schemaGiving(
  jsonSchema: Record<string, unknown>,
): StandardSchemaWithJSON {
  return {
    "~standard": {
      version: 1,
      vendor: "tests",
      validate: (value) => ({ value }),
      jsonSchema: { input: () => jsonSchema, output: () => jsonSchema },
    },
  };
}
