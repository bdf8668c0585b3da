import { configurationError } from "../../errors.ts";
import { isLoopbackHost } from "../guard.ts";

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
  if (url.protocol === "http:" && isLoopbackHost(url.hostname)) return url;
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
