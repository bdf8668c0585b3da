/**
 * The two forms of a line in the ready configuration.
 *
 * @module
 */

import type { LogRecord } from "@logtape/logtape";
import { maskJson } from "./mask_json.ts";
import { maskSecrets } from "./mask_text.ts";
import type { Redactor } from "./redact.ts";
import { type JsonObject, jsonText, toJsonValue, visible } from "./to_json.ts";

const RESERVED = ["time", "level", "logger", "message"];

/**
 * One JSON object. A field named like one of the line's own is written as
 * `data.<name>`.
 */
export function jsonLine(record: LogRecord, redact: Redactor): string {
  const fields = fieldsOf(record, redact);
  const line: JsonObject = {
    time: new Date(record.timestamp).toISOString(),
    level: levelOf(record, fields),
    logger: record.category.join("."),
    message: messageOf(record, redact),
  };
  for (const [name, value] of Object.entries(fields)) {
    line[RESERVED.includes(name) ? `data.${name}` : name] = value;
  }
  return jsonText(line);
}

/** A line to read, with the stack of an error below it. */
export function readableLine(record: LogRecord, redact: Redactor): string {
  const { error, ...fields } = fieldsOf(record, redact);
  const time = new Date(record.timestamp).toISOString().slice(11, 23);
  const name = levelOf(record, fields).toUpperCase().padEnd(7);
  let line = `${time} ${name} ${record.category.join(".")}  ` +
    visible(messageOf(record, redact));
  for (const [key, value] of Object.entries(fields)) {
    line += ` ${visible(key)}=${jsonText(value)}`;
  }
  if (typeof error !== "object" || error === null || Array.isArray(error)) {
    return error === undefined ? line : `${line} error=${jsonText(error)}`;
  }
  const { stack, ...rest } = error;
  line += ` error=${jsonText(rest)}`;
  return typeof stack === "string" ? `${line}\n${visible(stack, true)}` : line;
}

/** Takes `level` out of the fields where it says what LogTape cannot. */
function levelOf(record: LogRecord, fields: JsonObject): string {
  if (record.level !== "info" || fields.level !== "notice") return record.level;
  delete fields.level;
  return "notice";
}

function fieldsOf(record: LogRecord, redact: Redactor): JsonObject {
  const fields = toJsonValue(record.properties, { errors: "stack" });
  return maskJson(redact(fields), maskSecrets) as JsonObject;
}

/** LogTape keeps a message in pieces, with a value at each odd place. */
function messageOf(record: LogRecord, redact: Redactor): string {
  let message = "";
  for (const piece of record.message) {
    const value = redact(toJsonValue(piece));
    message += typeof value === "string" ? value : JSON.stringify(value);
  }
  return maskSecrets(message);
}
