import { ErrorCode } from "../../errors.ts";
import { isObject, WireError } from "../json_rpc.ts";

/** What an encoded value stands between. */
const PREFIX = "=?base64?";
const SUFFIX = "?=";

/** Header values that are not encoded, and hold no invalid characters. */
const PLAIN = /^(?!=\?base64\?)[\t\x20-\x7e]*$/;

/** The standard request headers as sent; `null` when absent. */
export interface StandardHeaders {
  /** `MCP-Protocol-Version`. */
  readonly version: string | null;
  /** `Mcp-Method`. */
  readonly mcpMethod: string | null;
  /** `Mcp-Name`. */
  readonly mcpName: string | null;
}

/**
 * Holds the standard request headers against the body (2026-07-28, basic,
 * transports, Streamable HTTP, server validation).
 *
 * @throws {WireError} -32020 with HTTP 400, naming the header.
 */
export function checkHeaders(
  sent: StandardHeaders,
  method: string,
  params: unknown,
  version: string,
): void {
  if (sent.version !== version) {
    throw mismatch("MCP-Protocol-Version", sent.version, version);
  }
  if (sent.mcpMethod !== method) {
    throw mismatch("Mcp-Method", sent.mcpMethod, method);
  }
  const name = nameOf(method, params);
  if (name === undefined) return;
  const sentName = sent.mcpName;
  // A plain value is equal as it stands; all others need a closer look.
  if (sentName === name && PLAIN.test(name)) return;
  if (sentName === null || decodeHeaderValue(sentName) !== name) {
    throw mismatch("Mcp-Name", sentName, name);
  }
}

/** The value `Mcp-Name` mirrors; `undefined` where the header is not required. */
function nameOf(method: string, params: unknown): string | undefined {
  if (!isObject(params)) return undefined;
  let value: unknown;
  if (method === "tools/call" || method === "prompts/get") value = params.name;
  else if (method === "resources/read") value = params.uri;
  return typeof value === "string" ? value : undefined;
}

/**
 * The error of a header that is missing or unlike the body.
 *
 * @param wanted What the body says; `undefined` when it says nothing.
 */
export function mismatch(
  name: string,
  sent: string | null,
  wanted: string | undefined,
): WireError {
  return new WireError(
    ErrorCode.HeaderMismatch,
    `Header mismatch: ${problemOf(name, sent, wanted)}`,
    { header: name },
    400,
  );
}

function problemOf(
  name: string,
  sent: string | null,
  wanted: string | undefined,
): string {
  if (sent === null) return `the required header ${name} is missing`;
  if (wanted === undefined) {
    return `the header ${name} stands for a value that the body does not have`;
  }
  return `the header ${name} does not match the body value ${
    JSON.stringify(wanted)
  }`;
}

/**
 * Decodes the value of `Mcp-Name` or `Mcp-Param-*`: plain, or Base64 between
 * the case-sensitive markers `=?base64?` and `?=` (2026-07-28, basic,
 * transports, Streamable HTTP, value encoding).
 *
 * @returns The value; `undefined` when it has invalid characters or encoding.
 */
export function decodeHeaderValue(value: string): string | undefined {
  if (
    value.startsWith(PREFIX) && value.endsWith(SUFFIX) &&
    value.length >= PREFIX.length + SUFFIX.length
  ) {
    return decodeBase64(value.slice(PREFIX.length, -SUFFIX.length));
  }
  return isFieldContent(value) ? value : undefined;
}

function decodeBase64(text: string): string | undefined {
  try {
    const binary = atob(text);
    // atob takes missing padding and stray bits; the canonical form is unique.
    if (btoa(binary) !== text) return undefined;
    const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
      .decode(bytes);
  } catch {
    return undefined;
  }
}

/** Visible ASCII, space and tab (RFC 9110, section 5.5). */
function isFieldContent(value: string): boolean {
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i);
    if ((code < 0x20 && code !== 0x09) || code > 0x7e) return false;
  }
  return true;
}
