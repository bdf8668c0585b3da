import type { ErrorContract } from "../../context/error_contract.ts";
import type { PromptDefinition } from "../../context/prompt.ts";
import { toJsonSchema } from "../../context/schema.ts";
import { isObject, type JsonObject } from "../json_rpc.ts";
import {
  bound,
  checkContract,
  checkName,
  type Validate,
  validator,
} from "./compile_tool.ts";
import type { ListEntry } from "./list_entry.ts";

/** A prompt, with everything that can be known before it is fetched. */
export interface CompiledPrompt {
  /** The definition it was made of. */
  readonly definition: PromptDefinition;
  /** The name it is fetched by. */
  readonly name: string;
  /** The names of its arguments. */
  readonly argumentNames: readonly string[];
  /** Checks the arguments; `undefined` where none are declared. */
  readonly validateArgs: Validate | undefined;
  /** Writes the prompt. */
  readonly handler: (args: unknown, ctx: unknown) => unknown;
  /** Scopes the caller must have; `undefined` when there are none. */
  readonly scopes: readonly string[] | undefined;
  /** The failures it declares. */
  readonly contract: readonly ErrorContract[] | undefined;
  /** How the lists show it. */
  readonly entry: ListEntry;
}

interface PromptArgument {
  readonly name: string;
  readonly title?: unknown;
  readonly description?: unknown;
  readonly required: boolean;
}

/**
 * Compiles a prompt.
 *
 * @throws {TypeError} When the definition cannot be served; says which and why.
 */
export function compilePrompt(definition: PromptDefinition): CompiledPrompt {
  const { name } = definition;
  const owner = `prompt "${name}"`;
  checkName("prompt", name);
  checkContract(definition.errors, owner);
  const args = promptArguments(definition, owner);
  const argumentNames = args.map((arg) => arg.name);
  for (const argument of Object.keys(definition.complete ?? {})) {
    if (!argumentNames.includes(argument)) {
      throw new TypeError(
        `Cannot complete "${argument}" of ${owner}: it has no such argument`,
      );
    }
  }
  return {
    definition,
    name,
    argumentNames,
    validateArgs: validator(definition.args),
    handler: bound(definition),
    scopes: definition.auth?.length ? definition.auth : undefined,
    contract: definition.errors,
    entry: promptEntry(definition, args),
  };
}

function promptArguments(
  definition: PromptDefinition,
  owner: string,
): PromptArgument[] {
  if (definition.args === undefined) return [];
  const schema = toJsonSchema(definition.args, "input", `${owner} arguments`);
  if (schema.type !== "object" || !isObject(schema.properties)) {
    throw new TypeError(
      `Cannot use the arguments of ${owner}: they must be an object schema, such as z.object({ ... })`,
    );
  }
  const required = schema.required as string[] | undefined ?? [];
  return Object.entries(schema.properties).map(([name, property]) => {
    const { title, description } = property as JsonObject;
    return { name, title, description, required: required.includes(name) };
  });
}

function promptEntry(
  definition: PromptDefinition,
  args: readonly PromptArgument[],
): ListEntry {
  const { name, title, description, icons, _meta } = definition;
  const json = JSON.stringify({
    name,
    title,
    description,
    arguments: args.length > 0 ? args : undefined,
    icons,
    _meta,
  });
  const scopes = definition.auth?.length ? definition.auth : undefined;
  return { modern: json, legacy: json, scopes };
}
