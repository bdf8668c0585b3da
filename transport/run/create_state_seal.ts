import { configurationError, serviceUnavailable } from "../../errors.ts";
import { checkSealerOptions, TTL_SECONDS } from "../../seal/create_sealer.ts";
import type { KeyRing, KeyRingOptions } from "../../seal/key_ring.ts";
import { generateSealKey } from "../../seal/seal_keys.ts";
import type { StateBackend } from "../../state/backend.ts";
import type { AppConfig } from "../config.ts";
import type { RequestStateOptions } from "../options.ts";
import type { StateSeal, StateSealOptions } from "./state_seal.ts";

/** Where a durable store keeps the key of its own. */
const KEY = ["parley", "seal-key"];

/** Makes the seal of an app. */
export function createStateSeal(options: StateSealOptions): StateSeal {
  // Loaded with the first round: most apps ask nothing.
  let seal: StateSeal | undefined;
  async function load(): Promise<StateSeal> {
    const { createRoundSeal } = await import("./round_seal.ts");
    return seal ??= createRoundSeal(options);
  }
  return {
    open: (exchange, params) =>
      seal?.open(exchange, params) ??
        load().then((loaded) => loaded.open(exchange, params)),
    close: (exchange, state) =>
      seal?.close(exchange, state) ??
        load().then((loaded) => loaded.close(exchange, state)),
  };
}

/** Gives the keys of an app; `undefined` where nothing is sealed. */
type KeyRingSource = () => Promise<KeyRing | undefined>;

/**
 * Finds what an app seals request state with: keys of its own, or else one that
 * is kept in a durable store. The latter is read when it is first needed.
 *
 * @throws {RangeError} When the keys or the lifetime cannot be used.
 * @throws {McpError} `configurationError` when state is to be encrypted, and
 * there is nothing to do it with.
 */
export function createKeyRingSource(
  options: RequestStateOptions = {},
  { sealKeys, state }: Pick<AppConfig, "sealKeys" | "state">,
): KeyRingSource {
  const { encrypt = false, ttlSeconds = TTL_SECONDS } = options;
  if (options.seal === false) {
    if (encrypt) throw cannotEncrypt("requestState.seal is false");
    return () => Promise.resolve(undefined);
  }
  if (sealKeys !== undefined) {
    // Checked at once, so that bad keys stop the start.
    const settings = checkSealerOptions({
      keys: sealKeys,
      encrypt,
      ttlSeconds,
    });
    return () => makeKeyRing(settings);
  }
  if (!state.durable) {
    if (encrypt) {
      throw cannotEncrypt("there is no key, and no durable store to keep one");
    }
    return () => Promise.resolve(undefined);
  }
  let made: Promise<KeyRing> | undefined;
  async function make(): Promise<KeyRing> {
    const keys = [await sealKeyOf(state)];
    return makeKeyRing(checkSealerOptions({ keys, encrypt, ttlSeconds }));
  }
  return () =>
    made ??= make().catch((error) => {
      // The store may be there the next time.
      made = undefined;
      throw error;
    });
}

async function makeKeyRing(settings: KeyRingOptions): Promise<KeyRing> {
  const { KeyRing } = await import("../../seal/key_ring.ts");
  return new KeyRing(settings);
}

function cannotEncrypt(why: string): Error {
  return configurationError(
    `Cannot encrypt request state: ${why}; set requestState.keys or MCP_REQUEST_STATE_KEY`,
  );
}

/**
 * The key that every process on a durable store seals with. The first one to
 * need it makes it.
 */
export async function sealKeyOf(backend: StateBackend): Promise<string> {
  for (let attempt = 0; attempt < 3; attempt++) {
    const [entry] = await backend.get([KEY]);
    if (entry) return JSON.parse(entry.value) as string;
    await backend.commit({
      checks: [{ key: KEY, version: null }],
      sets: [{ key: KEY, value: JSON.stringify(generateSealKey()) }],
    });
  }
  throw serviceUnavailable("Cannot keep the key that seals request state");
}
