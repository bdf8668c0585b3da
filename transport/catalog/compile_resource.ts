import type { CacheHint } from "../../context/cache_hint.ts";
import type { ErrorContract } from "../../context/error_contract.ts";
import type { ResourceDefinition } from "../../context/resource.ts";
import {
  bound,
  checkContract,
  checkName,
  type Validate,
  validator,
} from "./compile_tool.ts";
import type { ListEntry } from "./list_entry.ts";
import { isTemplate, parseTemplate, type UriTemplate } from "./uri_template.ts";

/** A resource, with everything that can be known before it is read. */
export interface CompiledResource {
  /** The definition it was made of. */
  readonly definition: ResourceDefinition;
  /** The URI or template. */
  readonly uri: string;
  /** The template; `undefined` for a fixed URI. */
  readonly template: UriTemplate | undefined;
  /** Checks the variables of the template. */
  readonly validateParams: Validate | undefined;
  /** Reads it. */
  readonly handler: (params: unknown, ctx: unknown) => unknown;
  /** Scopes the caller must have; `undefined` when there are none. */
  readonly scopes: readonly string[] | undefined;
  /** The failures it declares. */
  readonly contract: readonly ErrorContract[] | undefined;
  /** How long its contents may be cached; the app's hint by default. */
  readonly cacheHint: CacheHint | undefined;
  /** How the lists show it. */
  readonly entry: ListEntry;
}

/**
 * Compiles a resource.
 *
 * @throws {TypeError} When the definition cannot be served; says which and why.
 */
export function compileResource(
  definition: ResourceDefinition,
): CompiledResource {
  const { uri, name } = definition;
  const owner = `resource "${uri}"`;
  if (name !== undefined) checkName("resource", name);
  checkContract(definition.errors, owner);
  const template = isTemplate(uri) ? parseTemplate(uri) : undefined;
  if (template === undefined && !URL.canParse(uri)) {
    throw new TypeError(
      `Cannot use ${owner}: it must be an absolute URI, such as "docs://readme", or a template of such`,
    );
  }
  for (const variable of Object.keys(definition.complete ?? {})) {
    if (!template?.variables.includes(variable)) {
      throw new TypeError(
        `Cannot complete "${variable}" of ${owner}: its template has no such variable`,
      );
    }
  }
  if (definition.list !== undefined && template === undefined) {
    throw new TypeError(`Cannot list ${owner}: only templates have a list`);
  }
  return {
    definition,
    uri,
    template,
    validateParams: validator(definition.params),
    handler: bound(definition),
    scopes: definition.auth?.length ? definition.auth : undefined,
    contract: definition.errors,
    cacheHint: definition.cacheHint,
    entry: resourceEntry(definition, template),
  };
}

function resourceEntry(
  definition: ResourceDefinition,
  template: UriTemplate | undefined,
): ListEntry {
  const { uri, title, description, mimeType, annotations, icons, _meta } =
    definition;
  const json = JSON.stringify({
    ...(template === undefined ? { uri } : { uriTemplate: uri }),
    name: definition.name ?? uri,
    title,
    description,
    mimeType,
    size: template === undefined ? definition.size : undefined,
    annotations,
    icons,
    _meta,
  });
  const scopes = definition.auth?.length ? definition.auth : undefined;
  return { modern: json, legacy: json, scopes };
}
