/**
 * The text that stands for values without parts.
 *
 * @module
 */

const MAX_BIGINT = 1n << 1024n;

/** Gives the text of an object that has no parts to write; else `undefined`. */
export function leafText(value: object): string | undefined {
  if (value instanceof Date) {
    const time = Date.prototype.getTime.call(value);
    return Number.isNaN(time) ? "Invalid Date" : new Date(time).toISOString();
  }
  if (ArrayBuffer.isView(value)) {
    return `[${className(value)} ${value.byteLength} bytes]`;
  }
  if (value instanceof ArrayBuffer) {
    return `[ArrayBuffer ${value.byteLength} bytes]`;
  }
  if (value instanceof Blob) {
    const type = value.type === "" ? "" : ` ${value.type}`;
    return `[${className(value)} ${value.size} bytes${type}]`;
  }
  if (value instanceof RegExp) return RegExp.prototype.toString.call(value);
  if (value instanceof URL) return value.href;
  if (
    value instanceof String || value instanceof Number ||
    value instanceof Boolean
  ) return String(value.valueOf());
  return undefined;
}

/** Gives the digits of a bigint, unless there are very many. */
export function bigintText(value: bigint): string {
  // The digits of a bigint take quadratic time.
  return value > MAX_BIGINT || value < -MAX_BIGINT
    ? "[Huge bigint]"
    : value.toString();
}

/** Names a function. */
export function functionText(value: object): string {
  try {
    const name: unknown = Reflect.get(value, "name");
    return typeof name === "string" && name !== ""
      ? `[Function ${name}]`
      : "[Function]";
  } catch {
    return "[Function]";
  }
}

/** Gives the name of an object's class, `Object` if it has none. */
export function className(value: object): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (typeof prototype !== "object" || prototype === null) return "Object";
  const constructor: unknown = Reflect.get(prototype, "constructor", value);
  if (typeof constructor !== "function") return "Object";
  const name: unknown = constructor.name;
  return typeof name === "string" && name !== "" ? name : "Object";
}
