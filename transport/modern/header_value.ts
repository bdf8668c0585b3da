const PREFIX = "=?base64?";
const SUFFIX = "?=";

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
