import { configurationError, type McpError } from "../errors.ts";

const MAX_SHOWN = 100;

/**
 * The error of an option or a variable that cannot be used.
 *
 * @param name The option's or the variable's name.
 * @param value What it is. Not for secrets.
 * @param wanted What it takes.
 */
export function invalidSetting(
  name: string,
  value: unknown,
  wanted: string,
): McpError {
  return configurationError(
    `Cannot use ${name} ${shown(value)}: it takes ${wanted}`,
  );
}

/** {@linkcode invalidSetting} for what must not be shown. */
export function invalidSecret(name: string, wanted: string): McpError {
  return configurationError(`Cannot use ${name}: it takes ${wanted}`);
}

function shown(value: unknown): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value.slice(0, MAX_SHOWN));
    case "object":
      if (value === null) return "null";
      return Array.isArray(value) ? shownList(value) : "of an object";
    case "function":
      return "of a function";
    default:
      return String(value);
  }
}

function shownList(values: readonly unknown[]): string {
  return values.every((value) => typeof value === "string")
    ? JSON.stringify(values).slice(0, MAX_SHOWN)
    : "of an array";
}
