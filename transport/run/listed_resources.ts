import { CallContext } from "../../context/call_context.ts";
import { internalError } from "../../errors.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { CompiledResource } from "../catalog/compile_resource.ts";
import type { ListEntry } from "../catalog/list_entry.ts";
import type { Exchange } from "../exchange.ts";
import { isObject } from "../json_rpc.ts";
import { runHandler, Suspension } from "./round.ts";

// Loaded with the first failure.
let failing: typeof import("./failure.ts") | undefined;

/**
 * The resources that templates list by themselves, in the order of the
 * templates.
 *
 * @throws {WireError} When a callback fails, or returns no list of resources.
 */
export async function listedResources(
  exchange: Exchange,
  catalog: Catalog,
): Promise<ListEntry[]> {
  const ctx = new CallContext(exchange);
  const entries: ListEntry[] = [];
  for (const template of catalog.templates) {
    const { list } = template.definition;
    if (list === undefined) continue;
    try {
      const returned = await runHandler(
        () => list(ctx),
        undefined,
        ctx,
        exchange,
      );
      entries.push(...entriesOf(template, returned));
    } catch (thrown) {
      failing ??= await import("./failure.ts");
      throw failing.wireFailure(exchange, thrown);
    }
  }
  return entries;
}

function entriesOf(
  { uri: template, definition, scopes }: CompiledResource,
  returned: unknown,
): ListEntry[] {
  if (returned instanceof Suspension) {
    throw internalError(`The list of "${template}" cannot ask for input`);
  }
  if (!Array.isArray(returned)) {
    throw internalError(`The list of "${template}" must be an array`);
  }
  return returned.map((resource: unknown) => {
    if (!isObject(resource) || typeof resource.uri !== "string") {
      throw internalError(
        `The list of "${template}" has an entry that is no resource: it needs a uri`,
      );
    }
    const { mimeType } = definition;
    const name = resource.uri;
    const json = JSON.stringify({ mimeType, name, ...resource });
    return { modern: json, legacy: json, scopes };
  });
}
