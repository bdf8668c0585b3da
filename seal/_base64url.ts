/** The platform's own coding, which Node.js lacks up to version 24. */
interface NativeBytes {
  readonly toBase64?: (
    options: { alphabet: "base64url"; omitPadding: true },
  ) => string;
}

interface NativeArray {
  readonly fromBase64?: (
    text: string,
    options: { alphabet: "base64url" },
  ) => Uint8Array<ArrayBuffer>;
}

const WRITTEN = { alphabet: "base64url", omitPadding: true } as const;

/** Writes bytes as base64url without padding (RFC 4648 section 5). */
export function encodeBase64Url(bytes: Uint8Array): string {
  const native = bytes as NativeBytes;
  if (native.toBase64 !== undefined) return native.toBase64(WRITTEN);
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_")
    .replaceAll("=", "");
}

/**
 * Reads base64url, and gives `undefined` for any text that
 * {@linkcode encodeBase64Url} would not have written: padding, the standard
 * alphabet, white space, or unused trailing bits that are not zero. So no two
 * texts stand for the same bytes.
 */
export function decodeBase64Url(
  text: string,
): Uint8Array<ArrayBuffer> | undefined {
  if (/[^A-Za-z0-9_-]/.test(text) || !endsCanonically(text)) return undefined;
  const native = Uint8Array as NativeArray;
  if (native.fromBase64 !== undefined) return native.fromBase64(text, WRITTEN);
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

function endsCanonically(text: string): boolean {
  switch (text.length % 4) {
    case 0:
      return true;
    case 2: // The last character carries two bits; its other four are zero.
      return "AQgw".includes(text.slice(-1));
    case 3: // It carries four bits; its other two are zero.
      return "AEIMQUYcgkosw048".includes(text.slice(-1));
    default:
      return false;
  }
}
