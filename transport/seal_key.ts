import { serviceUnavailable } from "../errors.ts";
import { generateSealKey } from "../seal/seal_keys.ts";
import type { StateBackend } from "../state/backend.ts";

const KEY = ["parley", "seal-key"];

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
