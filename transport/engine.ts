import type { Implementation } from "../types.ts";
import type { Catalog } from "./catalog/catalog.ts";
import type { EventBus } from "./event_bus.ts";
import type { Subscriptions } from "./modern/listen.ts";
import type { ListOptions, Lists } from "./run/lists.ts";
import type { Telemetry } from "./telemetry/telemetry.ts";
import type { StateSeal } from "./run/state_seal.ts";
import type { Limits } from "./limits.ts";
import type { CallServices } from "./running_calls.ts";

/** What serves the requests of one app, whatever they come by. */
export interface Engine {
  /** What all calls share. */
  readonly services: CallServices;
  /** What is served. */
  readonly catalog: Catalog;
  /** How the lists are shown. */
  readonly listOptions: ListOptions;
  /** The lists; there from the first look at one of them. */
  lists: Lists | undefined;
  /** Who listens; there from the first listener. */
  subscriptions: Subscriptions | undefined;
  /** Whether the app was closed, and takes no more listeners. */
  closed: boolean;
  /** Where events come from. */
  readonly events: EventBus;
  /** Whether questions become requests for 2025-era clients. */
  readonly legacyShim: boolean;
  /** Seals and opens request state. */
  readonly seal: StateSeal;
  /** What one caller may use at a time; set at the start, where there are limits. */
  limits: Limits;
  /** Whether credentials are checked, so that scopes count. */
  readonly authenticates: boolean;
  /** Who the server is. */
  readonly info: Implementation;
  /** How to use the server, for models. */
  readonly instructions: string | undefined;
  /** Tells of calls; set at the start, where someone listens. */
  telemetry: Telemetry | undefined;
  /** Texts that are the same in every answer. */
  readonly texts: EngineTexts;
}

/** JSON that is written once and sent often. */
export interface EngineTexts {
  /** The result of `server/discover`. */
  readonly discover: string;
  /** The `_meta` member of 2026-07-28 results, with its leading comma. */
  readonly meta: string;
  /** The caching hint of `resources/read` without one of its own, with its leading comma. */
  readonly readHint: string;
}
