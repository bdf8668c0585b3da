import { configurationError } from "../../errors.ts";

/** Whether a URL's hostname is this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" ||
    /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/** The URL, if it is `https`, or `http` on this machine, with no user or fragment in it. */
export function secureUrl(value: unknown): URL | undefined {
  // The parser drops line breaks and surrounding blanks; a configured value has none.
  // deno-lint-ignore no-control-regex
  if (typeof value !== "string" || /[\x00-\x20\x7F"\\]/.test(value)) {
    return undefined;
  }
  const url = URL.parse(value);
  if (url === null || url.username !== "" || url.password !== "") {
    return undefined;
  }
  if (value.includes("#")) return undefined;
  if (url.protocol === "https:") return url;
  if (url.protocol === "http:" && isLoopback(url.hostname)) return url;
  return undefined;
}

/**
 * {@linkcode secureUrl} for a configured value.
 *
 * @throws {McpError} 500 naming the setting and what it takes.
 */
export function requireSecureUrl(name: string, value: unknown): URL {
  const url = secureUrl(value);
  if (url !== undefined) return url;
  // A URL may hold a password, so that is left out of the message.
  const shown = typeof value === "string"
    ? JSON.stringify(value.replace(/\/\/[^/@]*@/, "//***@").slice(0, 200))
    : typeof value;
  throw configurationError(
    `${name} is ${shown}, wanted an absolute https URL without user or ` +
      "fragment (http only on localhost), such as https://mcp.example.com/mcp",
  );
}

/**
 * The form in which resource identifiers are compared: URLs with a lower-case
 * scheme and host, and without a path that is only a slash, because clients send
 * both forms (specification, Authorization, "Canonical Server URI"). Other strings stay as
 * they are.
 */
export function canonicalResource(value: string): string {
  // deno-lint-ignore no-control-regex
  if (!/^https?:\/\/[^\x00-\x20\x7F]+$/i.test(value)) return value;
  const url = URL.parse(value);
  if (url === null) return value;
  const bare = url.pathname === "/" && url.search === "" && url.hash === "";
  return bare ? url.href.slice(0, -1) : url.href;
}
