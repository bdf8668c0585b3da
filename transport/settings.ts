import { configurationError, type McpError } from "../errors.ts";
import { isLogLevel, LOG_LEVELS } from "../context/log/levels.ts";
import { isHostPattern, isOriginPattern } from "./guard.ts";
import type { AppOptions } from "./options.ts";
import { isObject } from "./json_rpc.ts";

/** Reads environment variables. */
export type Environment = (name: string) => string | undefined;

interface Host {
  readonly Deno?: {
    readonly env: { get(name: string): string | undefined };
    readonly permissions: {
      querySync(
        descriptor: { name: "env"; variable?: string },
      ): { readonly state: string };
    };
  };
  readonly process?: { readonly env?: Record<string, string | undefined> };
}

/**
 * Gives the environment of the program as far as it may read it, without ever
 * asking for permission: what may not be read is not set.
 */
export function openEnvironment(): Environment {
  const host = globalThis as Host;
  const { Deno } = host;
  // Not touched in Deno, which would load its Node compatibility for it.
  if (Deno === undefined) return (name) => host.process?.env?.[name];
  const mayRead = (variable?: string) =>
    Deno.permissions.querySync({
      name: "env",
      ...(variable !== undefined && { variable }),
    }).state === "granted";
  // Each question takes time, and most programs may read all or nothing.
  const mayReadAll = mayRead();
  return (name) => mayReadAll || mayRead(name) ? Deno.env.get(name) : undefined;
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

/** The longest time a timer of the platform can wait, in milliseconds. */
const MAX_TIMER_MS = 2 ** 31 - 1;

type Check = (value: unknown) => boolean;

/** What every option takes, by its name; those not given are not looked at. */
const CHECKS: readonly (readonly [name: string, Check, wanted: string])[] = [
  ["name", isText, "a string that is not empty"],
  ["version", isText, "a string that is not empty"],
  ["title", isString, "a string"],
  ["description", isString, "a string"],
  ["instructions", isString, "a string"],
  ["websiteUrl", isUrl, "an absolute URL"],
  ["icons", isIcons, "an array of objects with a src"],
  ["tools", listOf(isObject), "an array of what tool() gives"],
  ["resources", listOf(isObject), "an array of what resource() gives"],
  ["prompts", listOf(isObject), "an array of what prompt() gives"],
  ["state", has("get", "commit"), "a state backend, such as memoryState()"],
  ["eventBus", has("publish", "subscribe"), "an event bus"],
  ["auth", isObject, 'an object, such as { mode: "none" }'],
  ["requestState", isObject, "an object"],
  ["requestState.encrypt", isBoolean, "true or false"],
  ["requestState.seal", isBoolean, "true or false"],
  ["requestState.ttlSeconds", isPositive, "a number of seconds above 0"],
  ["requestState.verify", isFunction, "a function"],
  ["inputRequired", isObject, "an object"],
  ["inputRequired.legacyShim", isBoolean, "true or false"],
  ["context", isObject, "an object"],
  ["context.exposeStatelessSessionId", isBoolean, "true or false"],
  ["cacheHints", isCacheHints, "hints by method, such as tools/list"],
  ["pageSize", isCount, "a whole number of 1 or more"],
  ["listFilter", oneOf("none", "scopes"), "none or scopes"],
  ["path", isPath, 'a path that begins with "/", or "*"'],
  ["health", isHealth, 'true, false, or a path that begins with "/"'],
  [
    "allowedHosts",
    listOf(isHostPattern),
    'an array of hosts such as "example.com" or "example.com:8000", or "*"',
  ],
  [
    "allowedOrigins",
    listOf(isOriginPattern),
    'an array of origins such as "https://example.com", without a path, or "*"',
  ],
  ["maxBodyBytes", isSize, "a whole number of bytes, 0 for no limit"],
  ["keepAliveMs", isTime, "a number of milliseconds, 0 for none"],
  ["callTimeoutMs", isTime, "a number of milliseconds, 0 for none"],
  ["closeTimeoutMs", isTime, "a number of milliseconds"],
  ["limits", isObject, "an object"],
  ["limits.concurrentCalls", isCount, "a whole number of 1 or more"],
  ["limits.openStreams", isCount, "a whole number of 1 or more"],
  ["logLevel", isLogLevel, `one of ${LOG_LEVELS.join(", ")}`],
  ["setup", isFunction, "a function"],
];

/**
 * Checks the values of options, so that none that cannot work is found out by
 * a request. Definitions and authentication are checked where they are compiled.
 *
 * @throws {McpError} `configurationError` naming the option and what it takes.
 */
export function checkOptions(options: AppOptions): void {
  for (const [name, check, wanted] of CHECKS) {
    const value = valueOf(options, name);
    const needed = name === "name" || name === "version";
    if (value === undefined && !needed) continue;
    if (!check(value)) throw invalidSetting(name, value, wanted);
  }
}

function valueOf(options: AppOptions, name: string): unknown {
  let value: unknown = options;
  for (const part of name.split(".")) {
    if (!isObject(value)) return undefined;
    value = value[part];
  }
  return value;
}

/** Whether text is a path as a URL holds it, or stands for all paths. */
function isPath(value: unknown): boolean {
  return value === "*" || isPlainPath(value);
}

function isPlainPath(value: unknown): boolean {
  if (typeof value !== "string" || !value.startsWith("/")) return false;
  return URL.parse(`http://localhost${value}`)?.pathname === value;
}

function isHealth(value: unknown): boolean {
  return typeof value === "boolean" || isPlainPath(value);
}

function isString(value: unknown): boolean {
  return typeof value === "string";
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "";
}

function isUrl(value: unknown): boolean {
  return typeof value === "string" && URL.canParse(value);
}

function isBoolean(value: unknown): boolean {
  return typeof value === "boolean";
}

function isFunction(value: unknown): boolean {
  return typeof value === "function";
}

function isIcons(value: unknown): boolean {
  return Array.isArray(value) &&
    value.every((icon) => isObject(icon) && isText(icon.src));
}

/** Whether a value is a whole number of 1 or more. */
function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}

function isSize(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isTime(value: unknown): boolean {
  return typeof value === "number" && value >= 0 && value <= MAX_TIMER_MS;
}

function isPositive(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value) && value > 0;
}

const CACHEABLE: readonly string[] = [
  "server/discover",
  "tools/list",
  "prompts/list",
  "resources/list",
  "resources/templates/list",
  "resources/read",
];

function isCacheHints(value: unknown): boolean {
  return isObject(value) &&
    Object.entries(value).every(([method, hint]) =>
      CACHEABLE.includes(method) && (hint === undefined || isObject(hint))
    );
}

function has(...methods: string[]): Check {
  return (value) =>
    typeof value === "object" && value !== null &&
    methods.every((name) => typeof Reflect.get(value, name) === "function");
}

function oneOf(...values: string[]): Check {
  return (value) => values.includes(value as string);
}

function listOf(check: Check): Check {
  return (value) => Array.isArray(value) && value.every(check);
}
