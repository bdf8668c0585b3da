/** Receives what an OTLP exporter sends, as JSON over HTTP. */

/** Attributes by name, each as its plain value. */
export type Attributes = Record<string, string | number | boolean>;

/** A span, as far as the tests look at it. */
export interface ReceivedSpan {
  readonly name: string;
  readonly scope: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly attributes: Attributes;
  /** 0 unset, 1 ok, 2 error. */
  readonly status: number;
  readonly statusMessage: string;
  readonly events: readonly {
    readonly name: string;
    readonly attributes: Attributes;
  }[];
  readonly links: readonly string[];
}

/** A histogram's measures with one set of attributes. */
export interface ReceivedMeasure {
  readonly name: string;
  readonly unit: string;
  readonly attributes: Attributes;
  readonly count: number;
  readonly sum: number;
  readonly bounds: readonly number[];
}

/** What was received. */
export interface Receiver extends AsyncDisposable {
  /** Where to send it. */
  readonly url: string;
  readonly spans: ReceivedSpan[];
  readonly measures: ReceivedMeasure[];
}

// The shape of OTLP's JSON, as far as it is read.
interface KeyValue {
  key: string;
  value: {
    stringValue?: string;
    intValue?: string;
    doubleValue?: number;
    boolValue?: boolean;
  };
}

interface OtlpSpan {
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId: string;
  attributes: KeyValue[];
  status: { code: number; message: string };
  events: { name: string; attributes: KeyValue[] }[];
  links: { spanId: string }[];
}

interface OtlpMetric {
  name: string;
  unit: string;
  histogram?: {
    dataPoints: {
      attributes: KeyValue[];
      count: string;
      sum: number;
      explicitBounds: number[];
    }[];
  };
}

interface OtlpBody {
  resourceSpans?: {
    scopeSpans: { scope: { name: string }; spans: OtlpSpan[] }[];
  }[];
  resourceMetrics?: { scopeMetrics: { metrics: OtlpMetric[] }[] }[];
}

/** Opens a receiver on a free port of this machine. */
export function openReceiver(): Receiver {
  const spans: ReceivedSpan[] = [];
  const measures: ReceivedMeasure[] = [];
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    async (request) => {
      const body: OtlpBody = await request.json();
      for (const { scopeSpans } of body.resourceSpans ?? []) {
        for (const { scope, spans: some } of scopeSpans) {
          for (const span of some) spans.push(spanOf(scope.name, span));
        }
      }
      for (const { scopeMetrics } of body.resourceMetrics ?? []) {
        for (const { metrics } of scopeMetrics) {
          for (const metric of metrics) measures.push(...measuresOf(metric));
        }
      }
      return Response.json({});
    },
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    spans,
    measures,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

function spanOf(scope: string, span: OtlpSpan): ReceivedSpan {
  return {
    name: span.name,
    scope,
    kind: span.kind,
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId,
    attributes: attributesOf(span.attributes),
    status: span.status.code,
    statusMessage: span.status.message,
    events: span.events.map(({ name, attributes }) => ({
      name,
      attributes: attributesOf(attributes),
    })),
    links: span.links.map(({ spanId }) => spanId),
  };
}

function measuresOf({ name, unit, histogram }: OtlpMetric): ReceivedMeasure[] {
  return (histogram?.dataPoints ?? []).map((point) => ({
    name,
    unit,
    attributes: attributesOf(point.attributes),
    count: Number(point.count),
    sum: point.sum,
    bounds: point.explicitBounds,
  }));
}

function attributesOf(pairs: KeyValue[]): Attributes {
  return Object.fromEntries(pairs.map(({ key, value }) => [
    key,
    value.stringValue ?? value.boolValue ?? value.doubleValue ??
      Number(value.intValue),
  ]));
}
