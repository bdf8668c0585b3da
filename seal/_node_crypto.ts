/** The part of `node:crypto` that sealing uses. */
export interface NodeCrypto {
  /** Begins a MAC. */
  createHmac(algorithm: string, key: Uint8Array): {
    update(data: string, encoding: "utf8"): {
      digest(): Uint8Array<ArrayBuffer>;
    };
  };
  /** Compares bytes of the same length in constant time. */
  timingSafeEqual(a: Uint8Array, b: Uint8Array): boolean;
}

interface Host {
  readonly process?: {
    readonly getBuiltinModule?: (name: string) => unknown;
  };
}

/**
 * `node:crypto` where the runtime brings it (Deno, Node, Bun), loaded when it
 * is first asked for. Its HMAC of a few hundred bytes takes a tenth of the time
 * that Web Crypto's takes, which hands each one to another thread.
 */
export function nodeCrypto(): NodeCrypto | undefined {
  const { process } = globalThis as Host;
  try {
    return process?.getBuiltinModule?.("node:crypto") as NodeCrypto | undefined;
  } catch {
    return undefined;
  }
}
