/** What a token carries, as JSON. */
export interface Envelope {
  /** The payload. Absent when it was `undefined`. */
  readonly p?: unknown;
  /** When the token expires, in seconds since the Unix epoch. */
  readonly exp?: unknown;
  /** The tag of the binding, in tokens of the codec. */
  readonly b?: unknown;
}

/** Reads an envelope. Gives `undefined` for a text that is not JSON. */
export function parseEnvelope(text: string): Envelope | undefined {
  try {
    // JSON that is not an object has none of the fields, and so counts as expired.
    return Object(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Gives the expiry of a token made now, in seconds since the Unix epoch. */
export function expiryAfter(ttlSeconds: number): number {
  return nowInSeconds() + ttlSeconds;
}

/** Tells whether a token's lifetime is over, or was never stated. */
export function isExpired(envelope: Envelope): boolean {
  return typeof envelope.exp !== "number" || envelope.exp < nowInSeconds();
}

function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
