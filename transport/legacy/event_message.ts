import type { ServerEvent } from "../../context/call.ts";
import { notificationMessage, wellFormed } from "../json_rpc.ts";

const METHODS: Readonly<Record<ServerEvent["kind"], string>> = {
  tools_list_changed: "notifications/tools/list_changed",
  prompts_list_changed: "notifications/prompts/list_changed",
  resources_list_changed: "notifications/resources/list_changed",
  resource_updated: "notifications/resources/updated",
};

/** Writes the notification that tells a client of the 2025 era of an event. */
export function eventMessage(event: ServerEvent): string {
  const params = event.kind === "resource_updated" ? { uri: event.uri } : {};
  return wellFormed(
    notificationMessage(METHODS[event.kind], JSON.stringify(params)),
  );
}
