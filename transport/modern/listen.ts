import type { ServerEvent } from "../../context/call.ts";
import { ErrorCode } from "../../errors.ts";
import type { Implementation } from "../../types.ts";
import type { EventBus } from "../event_bus.ts";
import {
  invalidRequestError,
  notificationMessage,
  type RequestId,
  resultMessage,
  wellFormed,
  WireError,
} from "../json_rpc.ts";
import { Meta } from "../protocol.ts";
import {
  filterText,
  type ListenFilter,
  type ListenSupport,
  readListenFilter,
  wants,
} from "./listen_filter.ts";

/** Characters of a subscription's id, which every message repeats. */
const MAX_ID = 1_024;

/** The way to one listener. */
export interface ListenerPort {
  /** Sends a message. @returns Whether it was taken; not when too much waits. */
  send(message: string): boolean;
  /** Sends the last message, and lets the listener go. */
  end(message: string): void;
  /** Lets go of a listener that does not keep up. */
  abort(reason: string): void;
}

/** One `subscriptions/listen` request that has been acknowledged. */
export interface Subscription {
  /** Ends it from the server's side: the listener is told. */
  end(): void;
  /** The listener ended it, or is gone: nothing more is sent. */
  cancel(): void;
}

/** What {@linkcode Subscriptions} takes. */
export interface SubscriptionsOptions {
  /** Where events come from. */
  readonly bus: EventBus;
  /** What there can be events of. */
  readonly supports: ListenSupport;
  /** Who the server is. */
  readonly info: Implementation;
  /** Whether the app was closed, and takes no listeners. */
  isClosed(): boolean;
}

/** What all subscriptions of an app share. */
interface Home {
  /** Those that are open. */
  readonly open: Set<OpenSubscription>;
  /** The member of `_meta` that says who the server is. */
  readonly serverInfo: string;
  /** Called when the last one has ended. */
  onEmpty(): void;
}

/**
 * The subscriptions of an app (2026-07-28, basic, patterns, subscriptions),
 * whatever they came by. They share one listener on the bus, which is there
 * only while there are any.
 *
 * No event is missed that is published when the acknowledgement can already
 * be read: to send it and to listen is one step, which nothing comes between.
 */
export class Subscriptions {
  readonly #options: SubscriptionsOptions;
  readonly #home: Home;
  #unsubscribe: (() => void) | undefined;

  constructor(options: SubscriptionsOptions) {
    this.#options = options;
    this.#home = {
      open: new Set(),
      serverInfo: `"${Meta.serverInfo}":${JSON.stringify(options.info)}`,
      onEmpty: () => {
        this.#unsubscribe?.();
        this.#unsubscribe = undefined;
      },
    };
  }

  /**
   * Reads what a request wants to hear of, and what of it there is.
   *
   * @param id The id of the request, which every message will repeat.
   * @throws {WireError} -32602 for a filter that is missing or malformed;
   * -32600 for an id of more than 1,024 characters; 503 when the app is closed.
   */
  accept(id: RequestId, params: unknown): ListenFilter {
    if (this.#options.isClosed()) {
      throw new WireError(
        ErrorCode.ServiceUnavailable,
        "The server is shutting down",
        undefined,
        503,
      );
    }
    if (String(id).length > MAX_ID) {
      throw invalidRequestError(
        `Invalid request: the id of a subscription may have at most ${MAX_ID} characters`,
      );
    }
    return readListenFilter(params, this.#options.supports);
  }

  /**
   * Acknowledges a subscription, and opens it.
   *
   * @param id The id of the request, which is the id of the subscription.
   */
  open(id: RequestId, filter: ListenFilter, port: ListenerPort): Subscription {
    const subscription = new OpenSubscription(id, filter, port, this.#home);
    if (subscription.acknowledge()) {
      this.#home.open.add(subscription);
      this.#unsubscribe ??= this.#options.bus.subscribe((event) =>
        this.#tell(event)
      );
    }
    return subscription;
  }

  /** Ends every subscription from the server's side. */
  endAll(): void {
    for (const subscription of [...this.#home.open]) subscription.end();
  }

  #tell(event: ServerEvent): void {
    const tail = event.kind === "resource_updated"
      ? `,"uri":${JSON.stringify(event.uri)}`
      : "";
    for (const subscription of [...this.#home.open]) {
      subscription.tell(event, tail);
    }
  }
}

const METHODS: Readonly<Record<ServerEvent["kind"], string>> = {
  tools_list_changed: "notifications/tools/list_changed",
  prompts_list_changed: "notifications/prompts/list_changed",
  resources_list_changed: "notifications/resources/list_changed",
  resource_updated: "notifications/resources/updated",
};

class OpenSubscription implements Subscription {
  readonly #id: RequestId;
  readonly #filter: ListenFilter;
  readonly #port: ListenerPort;
  readonly #home: Home;

  constructor(
    id: RequestId,
    filter: ListenFilter,
    port: ListenerPort,
    home: Home,
  ) {
    this.#id = id;
    this.#filter = filter;
    this.#port = port;
    this.#home = home;
  }

  acknowledge(): boolean {
    const tail = `,"notifications":${filterText(this.#filter)}`;
    return this.#send("notifications/subscriptions/acknowledged", tail);
  }

  /** @param tail What follows `_meta` in the params, with its leading comma. */
  tell(event: ServerEvent, tail: string): void {
    if (!wants(this.#filter, event)) return;
    this.#send(METHODS[event.kind], tail);
  }

  end(): void {
    if (!this.#home.open.has(this)) return;
    this.cancel();
    const result =
      `{"resultType":"complete","_meta":{${this.#tag()},${this.#home.serverInfo}}}`;
    this.#port.end(wellFormed(resultMessage(this.#id, result)));
  }

  cancel(): void {
    const { open } = this.#home;
    if (open.delete(this) && open.size === 0) this.#home.onEmpty();
  }

  /** Sends a notification; a listener that does not take it is let go. */
  #send(method: string, tail: string): boolean {
    const params = `{"_meta":{${this.#tag()}}${tail}}`;
    const message = wellFormed(notificationMessage(method, params));
    if (this.#port.send(message)) return true;
    this.cancel();
    this.#port.abort("The listener does not keep up");
    return false;
  }

  /** The member of `_meta` that every message of the subscription carries. */
  #tag(): string {
    return `"${Meta.subscriptionId}":${JSON.stringify(this.#id)}`;
  }
}
