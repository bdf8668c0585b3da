import type { Engine } from "../engine.ts";
import { Subscriptions } from "./listen.ts";

/** The subscriptions of an app, which are made with the first of them. */
export function subscriptionsOf(engine: Engine): Subscriptions {
  const { tools, prompts, resources, templates } = engine.catalog;
  return engine.subscriptions ??= new Subscriptions({
    bus: engine.events,
    supports: {
      tools: tools.size > 0,
      prompts: prompts.size > 0,
      resources: resources.size + templates.length > 0,
    },
    info: engine.info,
    isClosed: () => engine.closed,
  });
}
