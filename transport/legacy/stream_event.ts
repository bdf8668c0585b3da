import type { ServerEvent } from "../../context/call.ts";
import { notificationMessage, wellFormed } from "../json_rpc.ts";

/** Where in a stream a client has come to. */
export interface EventPosition {
  /** The id of the stream. */
  readonly stream: string;
  /** The number of the event; 0 for the beginning. */
  readonly number: number;
}

/** What a stream is there for: the answer to a POST, or a session's own messages. */
export type StreamKind = "post" | "session";

/** Makes the id of a new stream. */
export function newStreamId(kind: StreamKind): string {
  const random = crypto.randomUUID().replaceAll("-", "");
  return (kind === "post" ? "p" : "s") + random;
}

/** Tells what the stream of an id is there for. */
export function streamKind(id: string): StreamKind {
  return id.startsWith("p") ? "post" : "session";
}

/**
 * Writes the id of an event. It names its stream, so that what was sent on
 * another one is never taken for it.
 */
export function eventId(stream: string, number: number): string {
  return `${stream}.${number}`;
}

/** Reads the id of an event; `undefined` when it is none of ours. */
export function parseEventId(id: string): EventPosition | undefined {
  const match = /^([ps][0-9a-f]{32})\.(\d{1,9})$/.exec(id);
  if (match === null) return undefined;
  return { stream: match[1]!, number: Number(match[2]) };
}

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
