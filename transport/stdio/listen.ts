import type { RequestId } from "../json_rpc.ts";
import { notificationMessage, wellFormed } from "../json_rpc.ts";
import type { Subscription, Subscriptions } from "../modern/listen.ts";
import { Meta } from "../protocol.ts";
import type { LineWriter } from "./lines.ts";

/** A `subscriptions/listen` request that came in on a stream. */
export interface StreamListenRequest {
  /** Its id. */
  readonly id: RequestId;
  /** Its params. */
  readonly params: unknown;
  /** Called when the server has ended the subscription. */
  onEnd(): void;
}

/**
 * Opens a subscription on a channel that everything shares. When the server
 * ends it, two pages of the specification ask for two messages: the result of
 * the request (patterns, subscriptions) and `notifications/cancelled` (patterns,
 * cancellation). Both are sent, the result first, because whoever takes
 * the one for the end passes over the other.
 *
 * @throws {WireError} When it cannot be opened.
 */
export function openStreamSubscription(
  subscriptions: Subscriptions,
  writer: LineWriter,
  { id, params, onEnd }: StreamListenRequest,
): Subscription {
  function cancelled(reason: string): void {
    onEnd();
    const meta = { [Meta.subscriptionId]: id };
    const params = JSON.stringify({ requestId: id, reason, _meta: meta });
    writer.write(
      wellFormed(notificationMessage("notifications/cancelled", params)),
    );
  }
  return subscriptions.open(id, subscriptions.accept(id, params), {
    send: (message) => writer.offer(message),
    end(message) {
      writer.write(message);
      cancelled("The server ends the subscription");
    },
    abort: cancelled,
  });
}
