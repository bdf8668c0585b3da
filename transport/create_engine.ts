import { createLogFloor } from "../context/log/levels.ts";
import type { Implementation } from "../types.ts";
import { compileCatalog } from "./catalog/catalog.ts";
import type { AppConfig } from "./config.ts";
import type { Engine } from "./engine.ts";
import type { EventBus } from "./event_bus.ts";
import { wellFormed } from "./json_rpc.ts";
import type { AppOptions } from "./options.ts";
import { checkHint, hintText, Meta, MODERN_VERSION } from "./protocol.ts";
import {
  createKeyRingSource,
  createStateSeal,
} from "./run/create_state_seal.ts";
import { type CallServices, RunningCalls } from "./running_calls.ts";

/**
 * Compiles what an app is made of.
 *
 * @throws {TypeError} When a definition cannot be served.
 */
export function createEngine(
  options: AppOptions,
  config: AppConfig,
  bus: EventBus,
): Engine {
  const catalog = compileCatalog(options);
  for (const [method, hint] of Object.entries(options.cacheHints ?? {})) {
    checkHint(hint, method);
  }
  for (const { uri, cacheHint } of options.resources ?? []) {
    checkHint(cacheHint, `resource "${uri}"`);
  }
  const services: CallServices = {
    backend: config.state,
    logFloor: createLogFloor(config.logLevel),
    publish: (event) => bus.publish(event),
    running: new RunningCalls(),
    callTimeoutMs: config.callTimeoutMs,
  };
  const info = serverInfo(options);
  const meta = wellFormed(
    `,"_meta":${JSON.stringify({ [Meta.serverInfo]: info })}`,
  );
  const hints = options.cacheHints ?? {};
  return {
    services,
    catalog,
    listOptions: {
      pageSize: options.pageSize,
      filterByScope: options.listFilter === "scopes",
      cacheHints: hints,
      meta,
    },
    lists: undefined,
    subscriptions: undefined,
    closed: false,
    events: bus,
    legacyShim: options.inputRequired?.legacyShim ?? true,
    seal: createStateSeal({
      keyRing: createKeyRingSource(options.requestState, config),
      verify: options.requestState?.verify,
      audience: options.name,
    }),
    limits: { calls: undefined, streams: undefined },
    authenticates: config.auth !== undefined &&
      !("mode" in config.auth && config.auth.mode === "none"),
    info,
    instructions: options.instructions,
    telemetry: undefined,
    texts: {
      discover: discoverText(
        options,
        catalog,
        hintText(hints["server/discover"]) + meta,
      ),
      meta,
      readHint: hintText(hints["resources/read"]),
    },
  };
}

function serverInfo(options: AppOptions): Implementation {
  const { name, version, title, description, icons, websiteUrl } = options;
  return JSON.parse(
    JSON.stringify({ name, version, title, description, icons, websiteUrl }),
  );
}

function discoverText(
  options: AppOptions,
  catalog: Engine["catalog"],
  tail: string,
): string {
  const members = JSON.stringify({
    resultType: "complete",
    supportedVersions: [MODERN_VERSION],
    capabilities: {
      tools: catalog.tools.size > 0 ? { listChanged: true } : undefined,
      prompts: catalog.prompts.size > 0 ? { listChanged: true } : undefined,
      resources: catalog.resources.size + catalog.templates.length > 0
        ? { listChanged: true, subscribe: true }
        : undefined,
      completions: catalog.completes ? {} : undefined,
      logging: {},
    },
    instructions: options.instructions,
  });
  return wellFormed(members.slice(0, -1) + tail + "}");
}
