import { z } from "zod";
import { JSON_SCHEMA_TARGET } from "./_standard_schema.ts";

/** The formats that a string field of a form may have. */
export type FormFormat = "email" | "uri" | "date" | "date-time";

/** Tells whether a form can carry a string format. */
export function isFormFormat(format: unknown): format is FormFormat {
  return format === "email" || format === "uri" || format === "date" ||
    format === "date-time";
}

/**
 * Tells whether a `pattern` is no more than a library's own spelling of the
 * `format` beside it, so that the format says it all.
 *
 * For zod this is looked up, because `z.email({ pattern })` puts a pattern of
 * the author's into the same place. Of other libraries it is taken on trust.
 */
export function isFormatPattern(
  format: FormFormat,
  pattern: unknown,
  vendor: string,
): boolean {
  if (typeof pattern !== "string") return false;
  if (vendor !== "zod") return true;
  return zodSchemas(format, pattern).some((schema) =>
    patternOf(schema()) === pattern
  );
}

// The patterns are read from the zod that runs: they change between releases.
function patternOf(schema: z.ZodType): unknown {
  const options = { target: JSON_SCHEMA_TARGET, io: "input" } as const;
  return z.toJSONSchema(schema, options).pattern;
}

function zodSchemas(
  format: FormFormat,
  pattern: string,
): readonly (() => z.ZodType)[] {
  switch (format) {
    case "email":
      return [() => z.email()];
    case "uri":
      return [() => z.url()];
    case "date":
      return [() => z.iso.date()];
    case "date-time":
      return dateTimes(pattern);
  }
}

/** Each way to write `z.iso.datetime()` that could have given the pattern. */
function dateTimes(pattern: string): (() => z.ZodType)[] {
  const digits = /\\\.\\d\{(\d+)\}/.exec(pattern)?.[1];
  const precisions = digits === undefined
    ? [null, -1, 0]
    : [Number(digits), null, -1, 0];
  const flags = [false, true];
  return precisions.flatMap((precision) =>
    flags.flatMap((offset) =>
      flags.map((local) => () => z.iso.datetime({ precision, offset, local }))
    )
  );
}
