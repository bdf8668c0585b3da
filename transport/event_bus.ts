import type { ServerEvent } from "../context/call.ts";
import type { LogCategory } from "../context/log/process_line.ts";
import { logProcess } from "../context/log/process_log.ts";
import type { StateBackend } from "../state/mod.ts";
import { isObject } from "./json_rpc.ts";
import type { StoreLog } from "./store_log.ts";

/** Carries events from whoever changes something to whoever listens. */
export interface EventBus {
  /** Tells every listener; also those in other processes, where the bus reaches them. */
  publish(event: ServerEvent): void;
  /** Adds a listener. @returns What removes it again. */
  subscribe(listener: (event: ServerEvent) => void): () => void;
  /** Lets go of whatever the bus holds. */
  close?(): Promise<void>;
}

/** Makes a bus that reaches the listeners of this process. */
export function createEventBus(): EventBus {
  const listeners = new Set<(event: ServerEvent) => void>();
  return {
    publish(event) {
      for (const listener of [...listeners]) {
        try {
          listener(event);
        } catch {
          // A listener that fails must not keep the event from the others.
        }
      }
    },
    subscribe(listener) {
      const own = (event: ServerEvent) => listener(event);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
  };
}

/** Publishes events from outside any request. */
export interface Notifier {
  /** The list of tools changed. */
  toolsChanged(): void;
  /** The list of prompts changed. */
  promptsChanged(): void;
  /** The list of resources changed. */
  resourcesChanged(): void;
  /** The resource at `uri` changed. */
  resourceUpdated(uri: string): void;
}

/** Makes the notifier of a bus. */
export function createNotifier(bus: EventBus): Notifier {
  return {
    toolsChanged: () => bus.publish({ kind: "tools_list_changed" }),
    promptsChanged: () => bus.publish({ kind: "prompts_list_changed" }),
    resourcesChanged: () => bus.publish({ kind: "resources_list_changed" }),
    resourceUpdated: (uri) => bus.publish({ kind: "resource_updated", uri }),
  };
}

const EVENTS: LogCategory = ["parley", "events"];

/** Options of {@linkcode createSharedBus}. */
export interface SharedBusOptions {
  /**
   * Milliseconds between two looks at the store while someone listens: how
   * long an event takes to another process, at the most, besides the writing.
   * Default: 100.
   */
  readonly pollMs?: number | undefined;
}

/**
 * Makes a bus that reaches the listeners of every process and isolate on the
 * same store. Listeners of this process hear an event before `publish`
 * returns; the others read it from the store, where it stays for a minute.
 * What goes wrong with the store is logged, and never keeps a publisher.
 *
 * Deno KV can watch a key, but a watcher does not hear of other processes on
 * the same file; so the store is polled, and only while someone listens. On
 * one file an event took 65 ms to another process in the middle and 106 ms at
 * the most; 80 ms and 600 ms while two further processes wrote to the file all
 * the time. A look at an idle store takes about 0.1 ms.
 *
 * @param backend The store. It is opened by the first event or listener.
 * @param local The bus of this process.
 */
export function createSharedBus(
  backend: StateBackend,
  local: EventBus,
  options: SharedBusOptions = {},
): EventBus {
  let log: StoreLog | undefined;
  let loading: Promise<void> | undefined;
  /** What was published before the log is there. */
  let waiting: Published[] = [];
  let listeners = 0;
  /** When the first of the listeners came. */
  let since = 0;
  let unfollow: (() => void) | undefined;
  let closed = false;

  function hear(value: unknown): void {
    if (isServerEvent(value)) local.publish(value);
  }

  // Loaded with the first event or listener: many servers have neither.
  async function load(): Promise<void> {
    try {
      const { createStoreLog } = await import("./store_log.ts");
      const { pollMs } = options;
      log = createStoreLog(backend, "event", { pollMs, onError: report });
      for (const { event, at } of waiting) log.append(event, at);
      if (listeners > 0 && !closed) unfollow = log.follow(hear, since);
    } catch (error) {
      report(error);
    } finally {
      waiting = [];
      // One that failed is tried again with the next event or listener.
      loading = undefined;
    }
  }

  return {
    publish(event) {
      local.publish(event);
      if (log !== undefined) return log.append(event);
      if (closed) return;
      waiting.push({ event: { ...event }, at: Date.now() });
      loading ??= load();
    },
    subscribe(listener) {
      const unsubscribe = local.subscribe(listener);
      if (++listeners === 1) {
        since = Date.now();
        unfollow = log?.follow(hear);
      }
      if (log === undefined && !closed) loading ??= load();
      let subscribed = true;
      return () => {
        if (!subscribed) return;
        subscribed = false;
        unsubscribe();
        if (--listeners === 0) unfollow?.();
      };
    },
    async close() {
      closed = true;
      await loading;
      await log?.close();
      await local.close?.();
    },
  };
}

/** An event on its way to the log. */
interface Published {
  readonly event: ServerEvent;
  /** When it was published, ms since the epoch. */
  readonly at: number;
}

function report(error: unknown): void {
  logProcess(
    EVENTS,
    "warning",
    "Events may not reach other processes: {reason}",
    { reason: error instanceof Error ? error.message : "unknown", error },
  );
}

/** What another version of the program wrote may be something else. */
function isServerEvent(value: unknown): value is ServerEvent {
  if (!isObject(value)) return false;
  switch (value.kind) {
    case "tools_list_changed":
    case "prompts_list_changed":
    case "resources_list_changed":
      return true;
    case "resource_updated":
      return typeof value.uri === "string";
    default:
      return false;
  }
}
