import { configurationError, type McpError } from "../errors.ts";

/** Reads environment variables. */
export type Environment = (name: string) => string | undefined;

interface Host {
  readonly Deno?: {
    readonly env: { get(name: string): string | undefined };
    readonly permissions: {
      querySync(
        descriptor: { name: "env"; variable: string },
      ): { readonly state: string };
    };
  };
  readonly process?: { readonly env?: Record<string, string | undefined> };
}

/**
 * Reads an environment variable where the program may, without ever asking
 * for permission: what may not be read is not set.
 */
export function readEnvironment(name: string): string | undefined {
  const host = globalThis as Host;
  const { Deno } = host;
  // Not touched in Deno, which would load its Node compatibility for it.
  if (Deno === undefined) return host.process?.env?.[name];
  const { state } = Deno.permissions.querySync({ name: "env", variable: name });
  return state === "granted" ? Deno.env.get(name) : undefined;
}

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
