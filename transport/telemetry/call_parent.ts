import type * as Api from "@opentelemetry/api";
import type { Context, Link } from "@opentelemetry/api";
import { isObject } from "../json_rpc.ts";

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

/** The caller's span, as a request's `_meta` names it. */
export interface RemoteParent {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  /** The flags, such as 1 for sampled. */
  readonly traceFlags: number;
  /** `tracestate`, where it is well-formed. */
  readonly traceState: string | undefined;
}

/** One entry of `baggage`. */
export interface BaggageItem {
  /** The decoded value. */
  readonly value: string;
  /** Its properties as sent, without the leading semicolon. */
  readonly metadata: string;
}

/**
 * Reads `traceparent` and `tracestate` of a request's `_meta` (2026-07-28,
 * basic, OpenTelemetry trace context; W3C Trace Context). What is malformed is
 * as if it were not there.
 */
export function readRemoteParent(meta: unknown): RemoteParent | undefined {
  if (!isObject(meta) || typeof meta.traceparent !== "string") return undefined;
  const match = TRACE_PARENT.exec(meta.traceparent);
  if (match === null) return undefined;
  const [, version, traceId, spanId, flags, rest] = match;
  // Later versions may add fields; version ff is not allowed.
  if (version === "ff" || (version === "00" && rest !== "")) return undefined;
  if (/^0+$/.test(traceId!) || /^0+$/.test(spanId!)) return undefined;
  return {
    traceId: traceId!,
    spanId: spanId!,
    traceFlags: Number.parseInt(flags!, 16),
    traceState: isTraceState(meta.tracestate) ? meta.tracestate : undefined,
  };
}

const TRACE_PARENT =
  /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})((?:-.*)?)$/;

const MAX_MEMBERS = 32;
const MAX_LENGTH = 8192;
const STATE_MEMBER =
  /^[a-z0-9][a-z0-9_\-*/@]{0,255}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;

function isTraceState(value: unknown): value is string {
  if (typeof value !== "string" || value.length > MAX_LENGTH) return false;
  const members = value.split(",").map(trimBlanks).filter(isNotEmpty);
  return members.length > 0 && members.length <= MAX_MEMBERS &&
    members.every((member) => STATE_MEMBER.test(member));
}

const BAGGAGE_KEY = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const BAGGAGE_VALUE = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/;
const MAX_BAGGAGE = 64;

/**
 * Reads `baggage` of a request's `_meta` (W3C Baggage). Malformed entries are
 * left out.
 *
 * @returns `undefined` when nothing is left.
 */
export function readBaggage(
  meta: unknown,
): Record<string, BaggageItem> | undefined {
  if (!isObject(meta) || typeof meta.baggage !== "string") return undefined;
  if (meta.baggage.length > MAX_LENGTH) return undefined;
  const items = new Map<string, BaggageItem>();
  for (const member of meta.baggage.split(",").slice(0, MAX_BAGGAGE)) {
    const [pair = "", ...properties] = member.split(";").map(trimBlanks);
    const equals = pair.indexOf("=");
    const key = trimBlanks(pair.slice(0, equals));
    const value = decoded(trimBlanks(pair.slice(equals + 1)));
    if (equals < 0 || !BAGGAGE_KEY.test(key) || value === undefined) continue;
    items.set(key, { value, metadata: properties.join(";") });
  }
  return items.size === 0 ? undefined : Object.fromEntries(items);
}

function decoded(value: string): string | undefined {
  if (!BAGGAGE_VALUE.test(value)) return undefined;
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}

/** Spaces and tabs only, as the formats have it. */
function trimBlanks(text: string): string {
  return text.replace(/^[ \t]+|[ \t]+$/g, "");
}

function isNotEmpty(text: string): boolean {
  return text !== "";
}
