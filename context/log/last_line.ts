/**
 * Lines that are written when the process ends before the process log is
 * loaded, and with it the masks. What takes their place here hides too much
 * rather than too little.
 *
 * @module
 */

import type { LogRecord } from "@logtape/logtape";
import type { ProcessLine } from "./process_line.ts";
import { added } from "./sensitive_fields.ts";
import {
  type JsonObject,
  jsonText,
  type JsonValue,
  toJsonValue,
} from "./to_json.ts";

const HIDDEN = "[REDACTED]";
const SENSITIVE =
  /pass|pwd|secret|token|jwt|bearer|basic|auth|cookie|credential|key|otp|cvv|cvc|ssn/i;
const RUN = /[\w+/=-]{16,}/g;
const RUN_OF_WORDS = /[\w-]{16,}/g;
/** From how many characters on a run is taken for Base64. */
const MIN_BASE64 = 40;
// As keys have them: digits, or letters after a prefix that no word has.
const KEY_SIGN = /\d|[_-][A-Za-z]{16}/;

const RESERVED = ["time", "level", "logger", "message"];

/** One JSON object, as the usual line but for what is hidden. */
export function lastLine(
  line: ProcessLine | LogRecord,
  sensitiveFields: readonly string[] = [],
): string {
  const { level: notice, ...fields } = lastProperties(line, [
    ...added.fields,
    ...sensitiveFields,
  ]);
  const isNotice = line.level === "info" && notice === "notice";
  if (notice !== undefined && !isNotice) fields.level = notice;
  const named = Object.entries(fields).map(([name, value]) => [
    RESERVED.includes(name) ? `data.${name}` : name,
    value,
  ]);
  return jsonText({
    time: new Date(line.timestamp).toISOString(),
    level: isNotice ? notice : line.level,
    logger: line.category.join("."),
    message: lastMessage(line),
    ...Object.fromEntries(named),
  });
}

/** The text of a line, with what may be a secret hidden. */
export function lastMessage(line: ProcessLine | LogRecord): string {
  if ("fields" in line) return hideInText(line.message);
  return hideInText(line.message.map(textOf).join(""));
}

/** The fields of a line, with what may be a secret hidden. */
export function lastProperties(
  line: ProcessLine | LogRecord,
  names: readonly string[] = added.fields,
): Record<string, unknown> {
  if ("fields" in line) return { ...hide(line.fields, names), ...line.own };
  return hide(toJsonValue(line.properties, { errors: "stack" }), names);
}

function textOf(piece: unknown): string {
  const value = toJsonValue(piece);
  return typeof value === "string" ? value : JSON.stringify(value);
}

function hide(value: JsonValue, names: readonly string[]): JsonObject {
  return hideIn(value, names) as JsonObject;
}

function hideIn(value: JsonValue, names: readonly string[]): JsonValue {
  if (typeof value === "string") return hideInText(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => hideIn(item, names));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      /^[\w.-]{1,64}$/.test(name) ? name : hideInText(name),
      isSensitive(name, names) ? HIDDEN : hideIn(item, names),
    ]),
  );
}

function isSensitive(name: string, names: readonly string[]): boolean {
  if (SENSITIVE.test(name)) return true;
  const letters = name.toLowerCase().replace(/[^\p{L}]+/gu, "");
  return names.some((field) => letters.includes(field));
}

/**
 * Hides each word that speaks of a secret, and the three behind it. Takes time
 * in proportion to the length: the process is about to end.
 */
function hideInText(text: string): string {
  let hiding = 0;
  return text.replace(/\S+/g, (word) => {
    if (SENSITIVE.test(word)) hiding = 4;
    return hiding-- > 0 ? HIDDEN : hideUser(word).replace(RUN, hideRun);
  });
}

/** Hides user and password of a URL, up to the last sign that may end them. */
function hideUser(word: string): string {
  const start = word.indexOf("//");
  const end = word.lastIndexOf("@");
  return start === -1 || end < start
    ? word
    : `${word.slice(0, start + 2)}${HIDDEN}${word.slice(end)}`;
}

function hideRun(run: string): string {
  if (run.length >= MIN_BASE64 && /[\dA-Z]/.test(run)) return HIDDEN;
  return run.replace(
    RUN_OF_WORDS,
    (words) => KEY_SIGN.test(words) ? HIDDEN : words,
  );
}
