import { validationError } from "../errors.ts";
import { isJsonObject, type JsonObject, ownValue } from "./_json_schema.ts";
import { MAX_CARRIED_BYTES } from "./responses.ts";

const PREFIX = "parley.carry.1:";

/** What travels from one round of a call to the next. */
export interface Carry {
  /** The handler's own state, if it sent one. */
  state?: string | undefined;
  /** The answers of earlier rounds, by the key of their question. */
  answers: Readonly<Record<string, unknown>>;
}

/** A {@linkcode Carry} that came back. */
export interface UnpackedCarry {
  /** The handler's own state, or `undefined` if it sent none. */
  state: string | undefined;
  /** The answers of earlier rounds. It has no prototype. Untrusted. */
  answers: Record<string, unknown>;
}

/**
 * Packs answers, and the handler's own state beside them, into one string for
 * `requestState`. With no answers to carry the handler's string is given back
 * as it is, unless {@linkcode unpackCarry} would take it for a pack.
 *
 * @param carry The answers, and the state.
 * @throws {McpError} `validationError`, when the answers take more than
 * {@linkcode MAX_CARRIED_BYTES}. The state is not counted.
 */
export function packCarry(carry: Carry): string {
  const { state, answers } = carry;
  const carries = Object.keys(answers).length > 0;
  if (!carries && state !== undefined && isPlain(state)) return state;
  const own = state === undefined ? "" : `"state":${JSON.stringify(state)},`;
  return `${PREFIX}{${own}"answers":${answersText(answers)}}`;
}

/** Text that is not well-formed gets through only as JSON escapes. */
function isPlain(state: string): boolean {
  return !state.startsWith(PREFIX) && state.isWellFormed();
}

function answersText(answers: Carry["answers"]): string {
  const text = JSON.stringify(answers);
  const bytes = new TextEncoder().encode(text).length;
  if (bytes <= MAX_CARRIED_BYTES) return text;
  throw validationError(
    `Cannot carry the answers given so far to the next round: they take ${bytes} bytes, want at most ${MAX_CARRIED_BYTES}`,
    { reason: "carried_answers_too_large", bytes, limit: MAX_CARRIED_BYTES },
  );
}

/**
 * Takes a `requestState` apart that {@linkcode packCarry} made. Any other
 * string is the handler's own state, and there are no answers.
 *
 * Unless the string was sealed, the answers are the client's word, like those
 * of the current round, and have to be filtered and validated like them.
 *
 * @param packed The string that came back, if one did.
 */
export function unpackCarry(packed: string | undefined): UnpackedCarry {
  const pack = packed?.startsWith(PREFIX)
    ? parsePack(packed.slice(PREFIX.length))
    : undefined;
  if (pack === undefined) return { state: packed, answers: withoutProto({}) };
  const { state, answers } = pack;
  return { state, answers: withoutProto(answers) };
}

function parsePack(
  text: string,
): { state: string | undefined; answers: JsonObject } | undefined {
  let pack: unknown;
  try {
    pack = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isJsonObject(pack)) return undefined;
  const state = ownValue(pack, "state");
  const answers = ownValue(pack, "answers");
  if (state !== undefined && typeof state !== "string") return undefined;
  return isJsonObject(answers) ? { state, answers } : undefined;
}

function withoutProto(object: JsonObject): Record<string, unknown> {
  return Object.assign(Object.create(null), object);
}
