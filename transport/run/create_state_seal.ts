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
    open: (exchange, params) =>
      seal?.open(exchange, params) ??
        load().then((loaded) => loaded.open(exchange, params)),
    close: (exchange, state) =>
      seal?.close(exchange, state) ??
        load().then((loaded) => loaded.close(exchange, state)),
  };
}
