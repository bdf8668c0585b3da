import type { PromptDefinition } from "../../context/prompt.ts";
import type { ResourceDefinition } from "../../context/resource.ts";
import type { ToolDefinition } from "../../context/tool.ts";
import { type CompiledPrompt, compilePrompt } from "./compile_prompt.ts";
import { type CompiledResource, compileResource } from "./compile_resource.ts";
import { type CompiledTool, compileTool } from "./compile_tool.ts";

/** Everything an app serves, compiled and ready to be looked up by name. */
export interface Catalog {
  /** The tools by name, in the order they were given. */
  readonly tools: ReadonlyMap<string, CompiledTool>;
  /** The prompts by name, in the order they were given. */
  readonly prompts: ReadonlyMap<string, CompiledPrompt>;
  /** The resources with a fixed URI, by URI. */
  readonly resources: ReadonlyMap<string, CompiledResource>;
  /** The resource templates, in the order they were given. */
  readonly templates: readonly CompiledResource[];
  /** Whether anything can be completed. */
  readonly completes: boolean;
  /** Whether any tool mirrors parameters in headers. */
  readonly mirrorsParams: boolean;
}

/** What {@linkcode compileCatalog} takes. */
export interface CatalogSource {
  /** The tools. */
  readonly tools?: readonly ToolDefinition[] | undefined;
  /** The prompts. */
  readonly prompts?: readonly PromptDefinition[] | undefined;
  /** The resources and templates. */
  readonly resources?: readonly ResourceDefinition[] | undefined;
}

/**
 * Compiles all definitions of an app.
 *
 * @throws {TypeError} When one cannot be served, or two have the same name.
 */
export function compileCatalog(source: CatalogSource): Catalog {
  const compiled = (source.resources ?? []).map(compileResource);
  const fixed = compiled.filter((resource) => resource.template === undefined);
  const templates = compiled.filter((resource) => resource.template);
  index("resource template", templates, (template) => template.uri);
  const definitions = [
    ...(source.resources ?? []),
    ...(source.prompts ?? []),
  ];
  const tools = (source.tools ?? []).map(compileTool);
  return {
    tools: index("tool", tools, nameOf),
    prompts: index(
      "prompt",
      (source.prompts ?? []).map(compilePrompt),
      nameOf,
    ),
    resources: index("resource", fixed, (resource) => resource.uri),
    templates,
    completes: definitions.some(({ complete }) =>
      complete !== undefined && Object.keys(complete).length > 0
    ),
    mirrorsParams: tools.some((tool) => tool.paramHeaders !== undefined),
  };
}

function nameOf(definition: { readonly name: string }): string {
  return definition.name;
}

function index<T>(
  kind: string,
  items: readonly T[],
  keyOf: (item: T) => string,
): ReadonlyMap<string, T> {
  const map = new Map<string, T>();
  for (const item of items) {
    const key = keyOf(item);
    if (map.has(key)) {
      throw new TypeError(
        `Cannot serve two definitions of the ${kind} "${key}": rename or remove one`,
      );
    }
    map.set(key, item);
  }
  return map;
}
