import type { StateSeal, StateSealOptions } from "./state_seal.ts";

/** Makes the seal of an app. */
export function createStateSeal(options: StateSealOptions): StateSeal {
  // Loaded with the first round: most apps ask nothing.
  let seal: StateSeal | undefined;
  async function load(): Promise<StateSeal> {
    const { createRoundSeal } = await import("./round_seal.ts");
    return seal ??= createRoundSeal(options);
  }
  return {
    open: (exchange, params, args) =>
      seal?.open(exchange, params, args) ??
        load().then((loaded) => loaded.open(exchange, params, args)),
    close: (exchange, result, args) =>
      seal?.close(exchange, result, args) ??
        load().then((loaded) => loaded.close(exchange, result, args)),
  };
}
