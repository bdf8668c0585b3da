/**
 * The wire formats once more, over Node's crypto instead of Web Crypto and
 * with no code in common, so that the tests can look into tokens and make ones
 * that the module itself never makes.
 */

import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
} from "node:crypto";
import { Buffer } from "node:buffer";

/** HMAC-SHA256. */
export function hmac(
  key: string | Uint8Array,
  data: string | Uint8Array,
): Buffer {
  return createHmac("sha256", key).update(data).digest();
}

/** Splits a signed token, and reads what its body says. */
export function readSigned(
  token: string,
): { body: string; json: string; mac: string } {
  const [, body = "", mac = ""] = token.split(".");
  return { body, mac, json: Buffer.from(body, "base64url").toString() };
}

/** Signs a body, of whatever content, as the codec does. */
export function codecToken(key: string | Uint8Array, body: string): string {
  return `v1.${body}.${hmac(key, `v1.${body}`).toString("base64url")}`;
}

/** Signs a body, of whatever content, as the sealer does. */
export function sealedToken(
  key: string | Uint8Array,
  body: string,
  binding: string,
): string {
  const mac = hmac(key, `v1.${body}\0${binding}`).toString("base64url");
  return `v1.${body}.${mac}`;
}

/** Reads what an encrypted token says. Throws when its tag does not fit. */
export function decrypt(
  key: string | Uint8Array,
  token: string,
  binding: string,
): string {
  const bytes = Buffer.from(token.slice("v1e.".length), "base64url");
  const decipher = createDecipheriv(
    "aes-256-gcm",
    encryptionKey(key),
    bytes.subarray(0, 12),
  );
  decipher.setAAD(Buffer.from(`v1e.\0${binding}`));
  decipher.setAuthTag(bytes.subarray(-16));
  return decipher.update(bytes.subarray(12, -16), undefined, "utf8") +
    decipher.final("utf8");
}

/** Encrypts text, of whatever content, as the sealer does. */
export function encryptedToken(
  key: string | Uint8Array,
  text: string | Uint8Array,
  binding: string,
): string {
  const iv = Buffer.alloc(12, 7);
  const cipher = createCipheriv("aes-256-gcm", encryptionKey(key), iv);
  cipher.setAAD(Buffer.from(`v1e.\0${binding}`));
  const parts = [iv, cipher.update(text), cipher.final(), cipher.getAuthTag()];
  return `v1e.${Buffer.concat(parts).toString("base64url")}`;
}

/** Writes text or bytes as base64url. */
export function base64Url(data: string | Uint8Array): string {
  return Buffer.from(data).toString("base64url");
}

function encryptionKey(key: string | Uint8Array): Uint8Array {
  const info = "parley.requestState.encrypt.v1";
  return new Uint8Array(hkdfSync("sha256", key, "", info, 32));
}
