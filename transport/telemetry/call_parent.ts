import type * as Api from "@opentelemetry/api";
import type { Context, Link } from "@opentelemetry/api";
import { readBaggage, readRemoteParent } from "./trace_context.ts";

/** Where the span of a call belongs. */
export interface CallParent {
  /** The context whose span is the parent, with the baggage of the request. */
  readonly context: Context;
  /** What is around the call and not its parent, such as an HTTP request. */
  readonly links: Link[];
}

/**
 * Finds the parent of a call's span: the caller's span, where `_meta` names
 * it; else whatever is active.
 */
export function parentOf(api: typeof Api, meta: unknown): CallParent {
  const { trace, propagation } = api;
  const active = api.context.active();
  const links: Link[] = [];
  let context = active;
  const remote = readRemoteParent(meta);
  if (remote !== undefined) {
    const { traceState, ...ids } = remote;
    context = trace.setSpanContext(active, {
      ...ids,
      isRemote: true,
      ...(traceState !== undefined && {
        traceState: api.createTraceState(traceState),
      }),
    });
    const around = trace.getSpanContext(active);
    if (around !== undefined && api.isSpanContextValid(around)) {
      links.push({ context: around });
    }
  }
  const baggage = readBaggage(meta);
  if (baggage === undefined) return { context, links };
  const entries = Object.entries(baggage).map(([key, item]) => {
    const metadata = api.baggageEntryMetadataFromString(item.metadata);
    return [key, { value: item.value, metadata }] as const;
  });
  const bag = propagation.createBaggage(Object.fromEntries(entries));
  return { context: propagation.setBaggage(context, bag), links };
}
