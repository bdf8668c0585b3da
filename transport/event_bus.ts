import type { ServerEvent } from "../context/call.ts";

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
