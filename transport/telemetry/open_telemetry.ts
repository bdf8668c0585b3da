import type {
  Context,
  Histogram,
  Link,
  Meter,
  Span,
  Tracer,
} from "@opentelemetry/api";
import type * as Api from "@opentelemetry/api";
import { getLogger } from "@logtape/logtape";
import { maskSecrets } from "../../context/log/mask_text.ts";
import { McpError } from "../../errors.ts";
import type { Exchange } from "../exchange.ts";
import type { JsonObject } from "../json_rpc.ts";
import type { HandlerCall } from "../run/call.ts";
import type { Suspension } from "../run/round.ts";
import {
  callAttributes,
  outcomeAttributes,
  requestAttributes,
} from "./attributes.ts";
import { type Outcome, outcomeOf, outcomeOfThrown } from "./outcome.ts";
import type { Telemetry } from "./telemetry.ts";
import { readBaggage, readRemoteParent } from "./trace_context.ts";

type OpenTelemetryApi = typeof Api;

const SCOPE = "@parley/mcp";

/** Where the libraries of OpenTelemetry 1.x find what is registered. */
const REGISTRY = Symbol.for("opentelemetry.js.api.1");

/**
 * Gives the telemetry of an app, when someone registered with OpenTelemetry:
 * Deno does with `OTEL_DENO=true`, the SDK for Node when it is started. Else
 * nothing of it is loaded. Never rejects: a server does not fail for want of it.
 */
export async function openTelemetry(): Promise<Telemetry | undefined> {
  const registry: unknown = Reflect.get(globalThis, REGISTRY);
  if (typeof registry !== "object" || registry === null) return undefined;
  if (!("trace" in registry || "metrics" in registry)) return undefined;
  try {
    return new OpenTelemetry(await import("@opentelemetry/api"));
  } catch (error) {
    getLogger(["parley"]).warning("Cannot trace: {error}", { error });
    return undefined;
  }
}

/** The boundaries that the conventions give for durations, in seconds. */
const SECONDS = [
  0.01,
  0.02,
  0.05,
  0.1,
  0.2,
  0.5,
  1,
  2,
  5,
  10,
  30,
  60,
  120,
  300,
];

const BYTES = [256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304];

/** Spans and measures after the OpenTelemetry conventions for MCP. */
class OpenTelemetry implements Telemetry {
  readonly #api: OpenTelemetryApi;
  readonly #tracer: Tracer;
  readonly #duration: Histogram;
  readonly #requestSize: Histogram;
  readonly #responseSize: Histogram;

  constructor(api: OpenTelemetryApi) {
    this.#api = api;
    this.#tracer = api.trace.getTracer(SCOPE);
    const meter: Meter = api.metrics.getMeter(SCOPE);
    this.#duration = meter.createHistogram("mcp.server.operation.duration", {
      description: "How long a call of a handler took",
      unit: "s",
      advice: { explicitBucketBoundaries: SECONDS },
    });
    this.#requestSize = meter.createHistogram("parley.server.request.size", {
      description: "The size of a call's arguments as JSON",
      unit: "By",
      advice: { explicitBucketBoundaries: BYTES },
    });
    this.#responseSize = meter.createHistogram("parley.server.response.size", {
      description: "The size of a call's result as JSON",
      unit: "By",
      advice: { explicitBucketBoundaries: BYTES },
    });
  }

  instrument(
    exchange: Exchange,
    call: HandlerCall,
    params: JsonObject,
  ): HandlerCall {
    return { ...call, run: () => this.#run(exchange, call, params) };
  }

  async #run(
    exchange: Exchange,
    call: HandlerCall,
    params: JsonObject,
  ): Promise<string | Suspension> {
    const { context, trace, SpanKind } = this.#api;
    const { parent, links } = this.#parent(params._meta);
    const attributes = callAttributes(exchange, call);
    const span = this.#tracer.startSpan(
      `${exchange.method} ${call.name}`,
      {
        kind: SpanKind.SERVER,
        attributes: { ...attributes, ...requestAttributes(exchange) },
        links,
      },
      parent,
    );
    const own = trace.setSpan(parent, span);
    exchange.span = idsOf(this.#api, span);
    exchange.stateSpan = (operation, _key, run) =>
      this.#stateSpan(own, operation, run);
    exchange.failure = undefined;
    const startedAt = performance.now();
    const finish = (outcome: Outcome) => {
      const seconds = (performance.now() - startedAt) / 1000;
      const ending = outcomeAttributes(outcome);
      Object.assign(attributes, ending);
      this.#duration.record(seconds, attributes, own);
      const sent = byteLength(JSON.stringify(call.args));
      this.#requestSize.record(sent, attributes, own);
      if (outcome.result !== undefined) {
        const size = byteLength(outcome.result);
        this.#responseSize.record(size, attributes, own);
      }
      span.setAttributes(ending);
      this.#end(span, outcome);
    };
    try {
      const answer = await context.with(own, () => call.run());
      finish(outcomeOf(exchange, answer));
      return answer;
    } catch (thrown) {
      finish(outcomeOfThrown(exchange, thrown));
      throw thrown;
    }
  }

  /** The caller's span where the request names it; what is around it is linked. */
  #parent(meta: unknown): { parent: Context; links: Link[] } {
    const { context, propagation, trace } = this.#api;
    const ambient = context.active();
    const remote = readRemoteParent(meta);
    let parent = ambient;
    const links: Link[] = [];
    if (remote !== undefined) {
      const { traceState, ...ids } = remote;
      parent = trace.setSpanContext(ambient, {
        ...ids,
        isRemote: true,
        ...(traceState !== undefined && {
          traceState: this.#api.createTraceState(traceState),
        }),
      });
      const around = trace.getSpanContext(ambient);
      if (around !== undefined && this.#api.isSpanContextValid(around)) {
        links.push({ context: around });
      }
    }
    const baggage = readBaggage(meta);
    if (baggage !== undefined) {
      const entries = Object.entries(baggage).map(([key, item]) => {
        const metadata = this.#api.baggageEntryMetadataFromString(
          item.metadata,
        );
        return [key, { value: item.value, metadata }] as const;
      });
      parent = propagation.setBaggage(
        parent,
        propagation.createBaggage(Object.fromEntries(entries)),
      );
    }
    return { parent, links };
  }

  #end(span: Span, { error }: Outcome): void {
    if (error !== undefined) {
      if (error.fault instanceof Error) recordFault(span, error.fault);
      span.setStatus({
        code: this.#api.SpanStatusCode.ERROR,
        message: maskSecrets(error.message),
      });
    }
    span.end();
  }

  async #stateSpan<T>(
    own: Context,
    operation: string,
    run: () => Promise<T>,
  ): Promise<T> {
    const { context, trace, SpanKind, SpanStatusCode } = this.#api;
    const active = context.active();
    // Where nothing carries the context along, the handler's span is known.
    const parent = trace.getSpan(active) === undefined ? own : active;
    const span = this.#tracer.startSpan(
      `state ${operation}`,
      {
        kind: SpanKind.INTERNAL,
        attributes: { "parley.state.operation": operation },
      },
      parent,
    );
    try {
      return await context.with(trace.setSpan(parent, span), run);
    } catch (error) {
      const type = error instanceof McpError ? String(error.code) : "_OTHER";
      span.setAttribute("error.type", type);
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  }
}

function idsOf(api: OpenTelemetryApi, span: Span): Exchange["span"] {
  const context = span.spanContext();
  if (!api.isSpanContextValid(context)) return undefined;
  const { traceId, spanId } = context;
  return { traceId, spanId };
}

function recordFault(span: Span, { name, message, stack }: Error): void {
  span.recordException({
    name,
    message: maskSecrets(message),
    ...(stack !== undefined && { stack: maskSecrets(stack) }),
  });
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
