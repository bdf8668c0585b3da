import type * as Api from "@opentelemetry/api";
import type {
  Attributes,
  Context,
  Histogram,
  Meter,
  Span,
  Tracer,
} from "@opentelemetry/api";
import { maskSecrets } from "../../context/log/mask_text.ts";
import { McpError } from "../../errors.ts";
import type { Exchange } from "../exchange.ts";
import type { JsonObject } from "../json_rpc.ts";
import type { CallAnswer, HandlerCall } from "../run/handler_call.ts";
import {
  callAttributes,
  type Outcome,
  outcomeAttributes,
  outcomeOf,
  outcomeOfThrown,
  requestAttributes,
} from "./attributes.ts";
import { parentOf } from "./call_parent.ts";
import type { Telemetry } from "./telemetry.ts";

type OpenTelemetryApi = typeof Api;

const SCOPE = "@parley/mcp";

/** Spans and measures after the OpenTelemetry conventions for MCP. */
export class CallTelemetry implements Telemetry {
  readonly #api: OpenTelemetryApi;
  readonly #tracer: Tracer;
  readonly #measures: CallMeasures;

  constructor(api: OpenTelemetryApi) {
    this.#api = api;
    this.#tracer = api.trace.getTracer(SCOPE);
    this.#measures = new CallMeasures(api.metrics.getMeter(SCOPE));
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
  ): Promise<CallAnswer> {
    const { context, trace, SpanKind } = this.#api;
    const { context: parent, links } = parentOf(this.#api, params._meta);
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
      const request = JSON.stringify(call.args);
      const response = outcome.result;
      const ending = outcomeAttributes(outcome);
      const measured = { seconds, request, response };
      this.#measures.record(measured, { ...attributes, ...ending }, own);
      span.setAttributes(ending);
      endSpan(this.#api, span, outcome);
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

function endSpan(
  api: OpenTelemetryApi,
  span: Span,
  { error }: Outcome,
): void {
  if (error !== undefined) {
    recordFault(span, error.fault);
    span.setStatus({
      code: api.SpanStatusCode.ERROR,
      message: maskSecrets(error.message),
    });
  }
  span.end();
}

/** What was thrown may be anything, even something that throws when it is read. */
function recordFault(span: Span, fault: unknown): void {
  try {
    if (!(fault instanceof Error)) return;
    const { name, message, stack } = fault;
    span.recordException({
      name: String(name),
      message: maskSecrets(String(message)),
      ...(typeof stack === "string" && { stack: maskSecrets(stack) }),
    });
  } catch {
    // The span is an error all the same.
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

/** What one run of a handler measured. */
interface Measured {
  /** How long it took. */
  readonly seconds: number;
  /** The JSON of the arguments. */
  readonly request: string;
  /** The JSON of the result, where there is one. */
  readonly response: string | undefined;
}

/** The measures of calls: the duration of the conventions, and two sizes. */
class CallMeasures {
  readonly #duration: Histogram;
  readonly #requestSize: Histogram;
  readonly #responseSize: Histogram;

  /** @param meter Makes the instruments. */
  constructor(meter: Meter) {
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

  /** Records one run. */
  record(
    { seconds, request, response }: Measured,
    attributes: Attributes,
    context: Context,
  ): void {
    this.#duration.record(seconds, attributes, context);
    this.#requestSize.record(byteLength(request), attributes, context);
    if (response === undefined) return;
    this.#responseSize.record(byteLength(response), attributes, context);
  }
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
