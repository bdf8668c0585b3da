import type { StandardSchemaV1 } from "../../types.ts";
import {
  type ErrorContract,
  RESERVED_REASONS,
} from "../../context/error_contract.ts";
import { type JsonSchema, toJsonSchema } from "../../context/schema.ts";
import type { ToolDefinition } from "../../context/tool.ts";
import { findParamHeaders, type ParamHeader } from "./param_headers.ts";
import type { ListEntry } from "./list_entry.ts";

/** Checks a value; what `~standard.validate` of a schema is. */
export type Validate = StandardSchemaV1["~standard"]["validate"];

/** A tool, with everything that can be known before it is called. */
export interface CompiledTool {
  /** The definition it was made of. */
  readonly definition: ToolDefinition;
  /** The name it is called by. */
  readonly name: string;
  /** Checks the arguments; `undefined` where none are declared. */
  readonly validateInput: Validate | undefined;
  /** Checks what the handler returns; `undefined` where nothing is declared. */
  readonly validateOutput: Validate | undefined;
  /** Checks the enrichment, field by field. */
  readonly enrichment: ReadonlyMap<string, Validate> | undefined;
  /** Does the work. */
  readonly handler: (input: unknown, ctx: unknown) => unknown;
  /** Parameters that are mirrored in headers; `undefined` when there are none. */
  readonly paramHeaders: readonly ParamHeader[] | undefined;
  /** Scopes the caller must have; `undefined` when there are none. */
  readonly scopes: readonly string[] | undefined;
  /** The failures it declares. */
  readonly contract: readonly ErrorContract[] | undefined;
  /** How the lists show it. */
  readonly entry: ListEntry;
}

/**
 * Compiles a tool.
 *
 * @throws {TypeError} When the definition cannot be served; says which and why.
 */
export function compileTool(definition: ToolDefinition): CompiledTool {
  const { name, input, output, enrichment } = definition;
  const owner = `tool "${name}"`;
  checkName("tool", name);
  checkContract(definition.errors, owner);
  const inputSchema = input === undefined
    ? { type: "object" }
    : objectSchema(toJsonSchema(input, "input", `${owner} input`), owner);
  const paramHeaders = findParamHeaders(inputSchema, name);
  const outputSchema = outputSchemaOf(definition, owner);
  return {
    definition,
    name,
    validateInput: validator(input),
    validateOutput: validator(output),
    enrichment: enrichment && new Map(
      Object.entries(enrichment).map((
        [field, schema],
      ) => [field, schema["~standard"].validate]),
    ),
    handler: bound(definition),
    paramHeaders: paramHeaders.length > 0 ? paramHeaders : undefined,
    scopes: definition.auth?.length ? definition.auth : undefined,
    contract: definition.errors,
    entry: toolEntry(definition, inputSchema, outputSchema),
  };
}

/** Keeps `this` for handlers that are written as methods. */
export function bound(
  definition: { handler: (input: never, ctx: never) => unknown },
): (input: unknown, ctx: unknown) => unknown {
  if (typeof definition.handler !== "function") {
    throw new TypeError("Cannot use a definition without a handler");
  }
  return (input, ctx) => definition.handler(input as never, ctx as never);
}

/** The check of a schema; `undefined` without one. */
export function validator(
  schema: StandardSchemaV1 | undefined,
): Validate | undefined {
  return schema?.["~standard"].validate;
}

/**
 * Refuses reasons that are declared twice or belong to the framework.
 *
 * @throws {TypeError}
 */
export function checkContract(
  contract: readonly ErrorContract[] | undefined,
  owner: string,
): void {
  const seen = new Set<string>();
  for (const { reason, code } of contract ?? []) {
    if (RESERVED_REASONS.includes(reason)) {
      throw new TypeError(
        `Cannot declare the error reason "${reason}" of ${owner}: it is reserved; choose another`,
      );
    }
    if (seen.has(reason)) {
      throw new TypeError(
        `Cannot declare the error reason "${reason}" of ${owner} twice`,
      );
    }
    if (!Number.isInteger(code)) {
      throw new TypeError(
        `Cannot declare the error reason "${reason}" of ${owner}: its code must be an integer`,
      );
    }
    seen.add(reason);
  }
}

function objectSchema(schema: JsonSchema, owner: string): JsonSchema {
  // A union of objects says what it is in its members only.
  if (schema.type === undefined) return { type: "object", ...schema };
  if (schema.type === "object") return schema;
  throw new TypeError(
    `Cannot use the input schema of ${owner}: its root must be an object schema, such as z.object({ ... })`,
  );
}

function outputSchemaOf(
  definition: ToolDefinition,
  owner: string,
): JsonSchema | undefined {
  const { output = definition.outputSchema, enrichment } = definition;
  if (output === undefined) return undefined;
  const schema = toJsonSchema(output, "output", `${owner} output`);
  if (enrichment === undefined) {
    return isUnionOfObjects(schema) ? { type: "object", ...schema } : schema;
  }
  if (schema.type !== "object") {
    throw new TypeError(
      `Cannot enrich ${owner}: its output must be an object schema`,
    );
  }
  const properties = { ...schema.properties as JsonSchema };
  const required = new Set(schema.required as string[] | undefined);
  for (const [field, fieldSchema] of Object.entries(enrichment)) {
    if (Object.hasOwn(properties, field)) {
      throw new TypeError(
        `Cannot enrich ${owner}: the field "${field}" is part of its output already`,
      );
    }
    const { $schema: _, ...property } = toJsonSchema(
      fieldSchema,
      "output",
      `${owner} enrichment "${field}"`,
    );
    properties[field] = property;
    if (!acceptsUndefined(fieldSchema)) required.add(field);
  }
  return { ...schema, properties, required: [...required] };
}

function isUnionOfObjects({ type, anyOf, oneOf = anyOf }: JsonSchema): boolean {
  return type === undefined && Array.isArray(oneOf) &&
    oneOf.every((member) =>
      member.type === "object" || isUnionOfObjects(member)
    );
}

function acceptsUndefined(schema: StandardSchemaV1): boolean {
  const result = schema["~standard"].validate(undefined);
  return !(result instanceof Promise) && result.issues === undefined;
}

function toolEntry(
  definition: ToolDefinition,
  inputSchema: JsonSchema,
  outputSchema: JsonSchema | undefined,
): ListEntry {
  const { name, title, description, annotations, icons, _meta } = definition;
  const head = { name, title, description, inputSchema };
  const tail = { annotations, icons, _meta };
  // Before 2026-07-28 the structured result had to be an object.
  const legacyOutput = outputSchema?.type === "object"
    ? outputSchema
    : undefined;
  return {
    modern: JSON.stringify({ ...head, outputSchema, ...tail }),
    legacy: JSON.stringify({ ...head, outputSchema: legacyOutput, ...tail }),
    scopes: definition.auth?.length ? definition.auth : undefined,
  };
}

// deno-lint-ignore no-control-regex -- these are what it looks for
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/**
 * Refuses names that cannot be sent. The specification recommends 1 to 128 of
 * `A-Z a-z 0-9 _ - .`, and leaves others to the server.
 *
 * @throws {TypeError} Naming the definition and what is wrong with its name.
 */
export function checkName(kind: string, name: unknown): void {
  if (typeof name !== "string" || name === "") {
    throw new TypeError(
      `Cannot use a ${kind} without a name: give it 1 to 128 characters`,
    );
  }
  if (name.length > 128) {
    throw new TypeError(
      `Cannot use the ${kind} name "${
        name.slice(0, 32)
      }…": it has ${name.length} characters, and at most 128 are allowed`,
    );
  }
  if (CONTROL.test(name) || !name.isWellFormed()) {
    throw new TypeError(
      `Cannot use the ${kind} name ${
        JSON.stringify(name)
      }: it has control characters or ill-formed Unicode`,
    );
  }
}
