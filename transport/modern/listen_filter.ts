import type { ServerEvent } from "../../context/call.ts";
import { ErrorCode } from "../../errors.ts";
import { isObject, type JsonObject, WireError } from "../json_rpc.ts";

/** What a listener wants to hear of. */
export interface ListenFilter extends ListenSupport {
  /** The URIs of the resources it wants to hear of; `undefined` when it named none. */
  readonly uris: ReadonlySet<string> | undefined;
}

/** The lists there can be changes of. */
export interface ListenSupport {
  /** That of the tools. */
  readonly tools: boolean;
  /** That of the prompts. */
  readonly prompts: boolean;
  /** That of the resources, and each resource. */
  readonly resources: boolean;
}

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
  const tools = asks(asked, "toolsListChanged");
  const prompts = asks(asked, "promptsListChanged");
  const resources = asks(asked, "resourcesListChanged");
  const uris = asked.resourceSubscriptions;
  if (uris !== undefined && !isStrings(uris)) {
    throw malformed("notifications.resourceSubscriptions", "a list of URIs");
  }
  return {
    tools: tools && support.tools,
    prompts: prompts && support.prompts,
    resources: resources && support.resources,
    uris: uris !== undefined && support.resources ? new Set(uris) : undefined,
  };
}

function asks(notifications: JsonObject, member: string): boolean {
  const wanted = notifications[member];
  if (wanted === undefined || typeof wanted === "boolean") return !!wanted;
  throw malformed(`notifications.${member}`, "a boolean");
}

/** Writes a filter as the acknowledgement has it. */
export function filterText(filter: ListenFilter): string {
  return JSON.stringify({
    toolsListChanged: filter.tools || undefined,
    promptsListChanged: filter.prompts || undefined,
    resourcesListChanged: filter.resources || undefined,
    resourceSubscriptions: filter.uris && [...filter.uris],
  });
}

/** Whether a listener wants to hear of an event. */
export function wants(filter: ListenFilter, event: ServerEvent): boolean {
  switch (event.kind) {
    case "tools_list_changed":
      return filter.tools;
    case "prompts_list_changed":
      return filter.prompts;
    case "resources_list_changed":
      return filter.resources;
    case "resource_updated":
      return filter.uris?.has(event.uri) ?? false;
  }
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
