import type { Attributes, Context, Histogram, Meter } from "@opentelemetry/api";

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
export interface Measured {
  /** How long it took. */
  readonly seconds: number;
  /** The JSON of the arguments. */
  readonly request: string;
  /** The JSON of the result, where there is one. */
  readonly response: string | undefined;
}

/** The measures of calls: the duration of the conventions, and two sizes. */
export class CallMeasures {
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
