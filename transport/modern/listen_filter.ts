import type { ServerEvent } from "../../context/call.ts";
import { ErrorCode } from "../../errors.ts";
import { isObject, WireError } from "../json_rpc.ts";

/** The kinds of events that there is one switch for. */
type ListKind = Exclude<ServerEvent["kind"], "resource_updated">;

/** What a listener wants to hear of. */
export interface ListenFilter {
  /** The lists whose changes it wants to hear of. */
  readonly lists: ReadonlySet<ListKind>;
  /** The URIs of the resources it wants to hear of; `undefined` when it named none. */
  readonly uris: ReadonlySet<string> | undefined;
}

/** What there can be events of. */
export interface ListenSupport {
  /** Whether there are tools. */
  readonly tools: boolean;
  /** Whether there are prompts. */
  readonly prompts: boolean;
  /** Whether there are resources or templates. */
  readonly resources: boolean;
}

const SWITCHES: readonly (readonly [
  member: string,
  family: keyof ListenSupport,
  kind: ListKind,
])[] = [
  ["toolsListChanged", "tools", "tools_list_changed"],
  ["promptsListChanged", "prompts", "prompts_list_changed"],
  ["resourcesListChanged", "resources", "resources_list_changed"],
];

/**
 * Reads the filter of a `subscriptions/listen` request, and leaves out what
 * the server does not support. Members it does not know are ignored.
 *
 * @throws {WireError} -32602 when there is none, or it is malformed.
 */
export function readListenFilter(
  params: unknown,
  support: ListenSupport,
): ListenFilter {
  const asked = isObject(params) ? params.notifications : undefined;
  if (!isObject(asked)) throw malformed("notifications", "an object");
  const lists = new Set<ListKind>();
  for (const [member, family, kind] of SWITCHES) {
    const wanted = asked[member];
    if (wanted !== undefined && typeof wanted !== "boolean") {
      throw malformed(`notifications.${member}`, "a boolean");
    }
    if (wanted && support[family]) lists.add(kind);
  }
  const uris = asked.resourceSubscriptions;
  if (uris !== undefined && !isStrings(uris)) {
    throw malformed("notifications.resourceSubscriptions", "a list of URIs");
  }
  return {
    lists,
    uris: uris !== undefined && support.resources ? new Set(uris) : undefined,
  };
}

/** Writes a filter as the acknowledgement has it. */
export function filterText({ lists, uris }: ListenFilter): string {
  const members: Record<string, unknown> = {};
  for (const [member, , kind] of SWITCHES) {
    if (lists.has(kind)) members[member] = true;
  }
  if (uris !== undefined) members.resourceSubscriptions = [...uris];
  return JSON.stringify(members);
}

/** Whether a listener wants to hear of an event. */
export function wants(filter: ListenFilter, event: ServerEvent): boolean {
  return event.kind === "resource_updated"
    ? filter.uris?.has(event.uri) ?? false
    : filter.lists.has(event.kind);
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) &&
    value.every((item) => typeof item === "string");
}

function malformed(name: string, wanted: string): WireError {
  return new WireError(
    ErrorCode.InvalidParams,
    `Invalid params: ${name} must be ${wanted}`,
  );
}
