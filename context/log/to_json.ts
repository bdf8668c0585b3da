/**
 * Turns any value into JSON that is safe to log: nothing it meets makes it
 * throw, loop or grow without bound.
 *
 * @module
 */

import { bigintText, className, functionText, leafText } from "./_leaf_text.ts";

/** A value that JSON can carry. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | JsonValue[]
  | JsonObject;

/** An object that JSON can carry. */
export type JsonObject = { [key: string]: JsonValue };

/** Options of {@linkcode toJsonValue}. */
export interface ToJsonOptions {
  /**
   * Characters of a string that are kept; the rest is cut with a note of the
   * full length.
   *
   * @default 8192
   */
  maxString?: number;
  /**
   * Levels of nesting that are kept, at most 100.
   *
   * @default 8
   */
  maxDepth?: number;
  /**
   * Entries of one array, object, map or set that are kept. Whatever it is,
   * one call visits at most 10,000 values.
   *
   * @default 100
   */
  maxEntries?: number;
  /**
   * What is kept of an `Error`: `"summary"` its name and message, `"details"`
   * also its code, data, cause and inner errors, `"stack"` its stack too.
   *
   * @default "details"
   */
  errors?: "summary" | "details" | "stack";
  /**
   * Masks the message of each `Error`.
   *
   * @default messages are kept as they are
   */
  maskErrors?: (message: string) => string;
}

const MAX_VALUES = 10_000;
const UNREADABLE = "[Unreadable]";

/**
 * Turns a value into JSON for a log line. Never throws and never changes the
 * value. Values that JSON lacks become text: a bigint its digits, a function
 * `[Function name]`, a value inside itself `[Circular]`, bytes a note of their
 * size, what throws when read `[Unreadable]`. A `toJSON` method is respected,
 * except on errors.
 */
export function toJsonValue(
  value: unknown,
  options: ToJsonOptions = {},
): JsonValue {
  try {
    return new Writer(options).write(value, 0) ?? null;
  } catch {
    // Only a stack that was all but used up before this call leads here.
    return UNREADABLE;
  }
}

/** The fields of a line as JSON; what is no object becomes the field `data`. */
export function toJsonFields(
  data: unknown,
  options: ToJsonOptions,
): JsonObject {
  if (data === undefined || data === null) return {};
  const fields = toJsonValue(data, options);
  return typeof fields === "object" && fields !== null && !Array.isArray(fields)
    ? fields
    : { data: fields };
}

/** A value as one text: a string as it is, anything else as its JSON. */
export function toJsonText(value: unknown): string {
  const text = toJsonValue(value);
  return typeof text === "string" ? text : JSON.stringify(text);
}

// What ends a line, or rewrites or turns around what a terminal shows: controls,
// line and paragraph separators, bidirectional embeddings and isolates.
const HIDDEN =
  // deno-lint-ignore no-control-regex -- these are what it looks for
  /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/** JSON on one line, without a character that rewrites what a terminal shows. */
export function jsonText(value: unknown): string {
  // JSON has no such characters outside its strings, and escapes for them there.
  return visible(JSON.stringify(value));
}

/** A text with an escape for each character that rewrites what a terminal shows. */
export function visible(text: string, keepLines = false): string {
  return text.replace(
    HIDDEN,
    (character) =>
      keepLines && character === "\n" ? character : escaped(character),
  );
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

class Writer {
  readonly #maxString: number;
  readonly #maxDepth: number;
  readonly #maxEntries: number;
  readonly #errors: "summary" | "details" | "stack";
  readonly #maskErrors: ((message: string) => string) | undefined;
  readonly #ancestors: object[] = [];
  #values = MAX_VALUES;
  #characters: number;

  constructor(options: ToJsonOptions) {
    this.#maxString = options.maxString ?? 8192;
    this.#maxDepth = Math.min(options.maxDepth ?? 8, 100);
    this.#maxEntries = options.maxEntries ?? 100;
    this.#errors = options.errors ?? "details";
    this.#maskErrors = options.maskErrors;
    this.#characters = this.#maxString * 32;
  }

  /** `undefined` stands for a value that JSON leaves out. */
  write(value: unknown, depth: number): JsonValue | undefined {
    if (--this.#values < 0) return "[Truncated]";
    switch (typeof value) {
      case "string":
        return this.#text(value);
      case "number":
        return Number.isFinite(value) ? value + 0 : String(value);
      case "boolean":
        return value;
      case "undefined":
        return undefined;
      case "bigint":
        return bigintText(value);
      case "symbol":
        return this.#text(String(value));
      case "function":
        return this.#text(functionText(value));
      case "object":
        return value === null ? null : this.#nested(value, depth);
    }
  }

  #nested(value: object, depth: number): JsonValue | undefined {
    if (this.#ancestors.includes(value)) return "[Circular]";
    this.#ancestors.push(value);
    try {
      return this.#object(value, depth);
    } catch {
      return UNREADABLE;
    } finally {
      this.#ancestors.pop();
    }
  }

  #object(value: object, depth: number): JsonValue | undefined {
    if (value instanceof Error) return this.#error(value, depth);
    const leaf = leafText(value);
    if (leaf !== undefined) return this.#text(leaf);
    const isArray = Array.isArray(value);
    if (depth >= this.#maxDepth) return isArray ? "[Array]" : "[Object]";
    if (isArray) return this.#list(value, value.length, depth);
    if (value instanceof Map) {
      const entries = Map.prototype.entries.call(value);
      return this.#entries(entries, mapSize(value), depth);
    }
    if (value instanceof Set) {
      const items = Set.prototype.values.call(value);
      return this.#list(take(items, this.#maxEntries), setSize(value), depth);
    }
    const toJSON: unknown = "toJSON" in value ? value.toJSON : undefined;
    if (typeof toJSON === "function") {
      const replaced: unknown = toJSON.call(value, "");
      return replaced === value
        ? this.#properties(value, depth)
        : this.write(replaced, depth + 1);
    }
    if (value instanceof Headers || value instanceof URLSearchParams) {
      const entries = [...value.entries()];
      return this.#entries(entries, entries.length, depth);
    }
    return this.#properties(value, depth);
  }

  #properties(value: object, depth: number): JsonValue {
    const keys = Object.keys(value);
    if (keys.length === 0) {
      const name = className(value);
      return name === "Object" ? {} : this.#text(`[${name}]`);
    }
    const result: JsonObject = {};
    for (const key of keys.slice(0, this.#maxEntries)) {
      let item: JsonValue | undefined;
      try {
        item = this.write((value as Record<string, unknown>)[key], depth + 1);
      } catch {
        item = UNREADABLE;
      }
      if (item !== undefined) define(result, this.#text(key), item);
    }
    return this.#noteRest(result, keys.length);
  }

  #entries(
    entries: Iterable<[unknown, unknown]>,
    size: number,
    depth: number,
  ): JsonValue {
    const result: JsonObject = {};
    let index = 0;
    for (const [key, item] of take(entries, this.#maxEntries)) {
      const name = typeof key === "string"
        ? this.#text(key)
        : typeof key === "object" && key !== null
        ? `[${className(key)} ${index}]`
        : String(this.write(key, depth + 1));
      define(result, name, this.write(item, depth + 1) ?? null);
      index++;
    }
    return this.#noteRest(result, size);
  }

  #list(
    items: ArrayLike<unknown>,
    length: number,
    depth: number,
  ): JsonValue[] {
    const result: JsonValue[] = [];
    const kept = Math.min(length, this.#maxEntries);
    for (let index = 0; index < kept; index++) {
      let item: JsonValue | undefined;
      try {
        item = this.write(items[index], depth + 1);
      } catch {
        item = UNREADABLE;
      }
      result.push(item ?? null);
    }
    if (length > kept) result.push(`[${length - kept} more]`);
    return result;
  }

  #error(error: Error, depth: number): JsonObject {
    const result: JsonObject = {};
    const keep = (key: string): void => {
      let item: JsonValue | undefined;
      try {
        const found: unknown = Reflect.get(error, key);
        if (found === undefined) return;
        item = this.write(found, depth + 1);
      } catch {
        item = UNREADABLE;
      }
      if (item !== undefined) result[key] = item;
    };
    keep("name");
    keep("message");
    if (this.#maskErrors !== undefined && typeof result.message === "string") {
      result.message = this.#maskErrors(result.message);
    }
    if (this.#errors === "summary") return result;
    if (this.#errors === "stack") keep("stack");
    keep("code");
    if (depth >= this.#maxDepth) return result;
    keep("data");
    keep("cause");
    keep("errors");
    return result;
  }

  #text(text: string): string {
    const room = Math.min(this.#maxString, Math.max(this.#characters, 0));
    this.#characters -= text.length;
    if (text.length <= room) {
      return text.isWellFormed() ? text : text.toWellFormed();
    }
    return `${text.slice(0, room).toWellFormed()}… [${text.length} characters]`;
  }

  #noteRest(result: JsonObject, size: number): JsonObject {
    const rest = size - this.#maxEntries;
    if (rest > 0) result["…"] = `[${rest} more]`;
    return result;
  }
}

function mapSize(map: Map<unknown, unknown>): number {
  return Reflect.get(Map.prototype, "size", map) as number;
}

function setSize(set: Set<unknown>): number {
  return Reflect.get(Set.prototype, "size", set) as number;
}

function take<T>(items: Iterable<T>, count: number): T[] {
  const taken: T[] = [];
  if (count <= 0) return taken;
  for (const item of items) {
    taken.push(item);
    if (taken.length >= count) break;
  }
  return taken;
}

/** Assigning would call the setter when the key is `__proto__`. */
function define(target: JsonObject, key: string, value: JsonValue): void {
  if (key !== "__proto__") {
    target[key] = value;
    return;
  }
  Object.defineProperty(target, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}
