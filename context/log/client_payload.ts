/**
 * What a client is told of a log line. Loaded with the first client that asks
 * for the log.
 *
 * @module
 */

import type { LogData } from "./logger.ts";
import { createRedactor, maskJsonObject } from "./redact.ts";
import { maskText } from "./mask_text.ts";
import {
  type JsonObject,
  toJsonFields,
  type ToJsonOptions,
  toJsonText,
  toJsonValue,
} from "./to_json.ts";

const FOR_CLIENT: ToJsonOptions = { errors: "summary" };
const redact = createRedactor();

/** Makes what is sent of a line: secrets and file paths masked, no stack. */
export function clientPayload(
  message: string,
  error: unknown,
  data: LogData | undefined,
): JsonObject {
  const fields = redact(toJsonFields(data, FOR_CLIENT));
  const payload = maskJsonObject(fields as JsonObject, maskText);
  payload.message = maskText(toJsonText(message));
  if (error !== undefined) payload.error = maskText(errorText(error));
  return payload;
}

/** The message of whatever was thrown, without its stack, cause or data. */
function errorText(error: unknown): string {
  if (typeof error !== "object" || error === null) return toJsonText(error);
  const summary = toJsonValue(error, FOR_CLIENT);
  const message =
    typeof summary === "object" && summary !== null && !Array.isArray(summary)
      ? summary.message
      : summary;
  return typeof message === "string" ? message : JSON.stringify(summary);
}
