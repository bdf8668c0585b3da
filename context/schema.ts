/**
 * A schema that validates a value, after the Standard Schema convention
 * (https://standardschema.dev). Zod, Valibot and ArkType schemas are such.
 *
 * @typeParam Input What the schema accepts.
 * @typeParam Output What it gives back.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  /** The contract of the convention. */
  readonly "~standard": {
    /** The version of the convention. */
    readonly version: 1;
    /** The library the schema comes from. */
    readonly vendor: string;
    /** Checks a value, now or later. */
    readonly validate: (
      value: unknown,
    ) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    /** Never there at run time; carries the types. */
    readonly types?:
      | { readonly input: Input; readonly output: Output }
      | undefined;
  };
}

/** What {@linkcode StandardSchema} gives: a value, or what is wrong with it. */
export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

/** One thing that is wrong with a value. */
export interface SchemaIssue {
  /** What is wrong. */
  readonly message: string;
  /** Where, from the root of the value. */
  readonly path?:
    | readonly (PropertyKey | { readonly key: PropertyKey })[]
    | undefined;
}

/** The type a schema accepts. */
export type InputOf<S> = S extends StandardSchema<infer I, infer _O> ? I
  : never;

/** The type a schema gives back. */
export type OutputOf<S> = S extends StandardSchema<infer _I, infer O> ? O
  : never;

/** A JSON Schema (2020-12) document whose root is an object. */
export type JsonSchema = Record<string, unknown>;

interface JsonSchemaSource {
  readonly jsonSchema?: {
    input(options: { target: string }): JsonSchema;
    output(options: { target: string }): JsonSchema;
  };
}

/**
 * Converts a schema to JSON Schema 2020-12, with the converter the schema
 * brings along (Standard JSON Schema).
 *
 * @param schema The schema.
 * @param side Whether what it accepts or what it gives back is described.
 * @param owner What the schema belongs to, for the error message.
 * @throws {TypeError} When the schema brings no converter or cannot be expressed.
 */
export function toJsonSchema(
  schema: StandardSchema,
  side: "input" | "output",
  owner: string,
): JsonSchema {
  const standard = schema?.["~standard"];
  if (standard?.version !== 1) {
    throw new TypeError(
      `Cannot use the schema of ${owner}: it is not a Standard Schema; use zod 4, Valibot with its JSON Schema add-on, or ArkType`,
    );
  }
  const convert = (standard as JsonSchemaSource).jsonSchema;
  if (convert === undefined) {
    throw new TypeError(
      `Cannot use the schema of ${owner}: ${standard.vendor} schemas of this version do not give JSON Schema; use zod 4.2 or later, Valibot with its JSON Schema add-on, or ArkType`,
    );
  }
  try {
    return convert[side]({ target: "draft-2020-12" });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new TypeError(
      `Cannot express the schema of ${owner} as JSON Schema: ${reason}`,
      { cause },
    );
  }
}
