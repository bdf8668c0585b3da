import type { StateBackend, StateKey } from "../../state/mod.ts";

/** How often a process shows that it lives, ms. */
const BEAT_MS = 1_000;
/** For how long a beat is kept, ms. */
const KEPT_MS = 60_000;
/** After how long without a beat a process counts as dead, ms. */
const DEAD_MS = 6_000;

/** Shows other processes that this one lives, while they may need to know. */
export class Pulse {
  readonly #backend: StateBackend;
  readonly #key: StateKey;
  #holds = 0;
  #beats = 0;
  #timer: ReturnType<typeof setInterval> | undefined;
  #beating: Promise<void> | undefined;

  /**
   * @param backend The store.
   * @param process The id of this process.
   */
  constructor(backend: StateBackend, process: string) {
    this.#backend = backend;
    this.#key = pulseKey(process);
  }

  /** Beats until the function given back is called. */
  hold(): () => void {
    if (++this.#holds === 1) {
      this.#beat();
      this.#timer = setInterval(() => this.#beat(), BEAT_MS);
    }
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      if (--this.#holds === 0) clearInterval(this.#timer);
    };
  }

  /** Resolves when nothing is being written. */
  async idle(): Promise<void> {
    await this.#beating;
  }

  #beat(): void {
    this.#beating ??= this.#write().finally(() => {
      this.#beating = undefined;
    });
  }

  async #write(): Promise<void> {
    const value = String(++this.#beats);
    const expiresAt = Date.now() + KEPT_MS;
    try {
      await this.#backend.commit({
        sets: [{ key: this.#key, value, expiresAt }],
      });
    } catch {
      // The next beat may do better.
    }
  }
}

/** Finds out whether another process still lives, by its beats. */
export class PulseWatch {
  readonly #backend: StateBackend;
  readonly #key: StateKey;
  #beat: string | undefined;
  #seenAt = Date.now();

  /**
   * @param backend The store.
   * @param process The id of the other process.
   */
  constructor(backend: StateBackend, process: string) {
    this.#backend = backend;
    this.#key = pulseKey(process);
  }

  /** Whether it has shown no sign of life for too long. */
  async isDead(): Promise<boolean> {
    const [entry] = await this.#backend.get([this.#key]);
    const now = Date.now();
    // Versions, unlike times, need no clocks that agree.
    if (entry && entry.version !== this.#beat) {
      this.#beat = entry.version;
      this.#seenAt = now;
    }
    return now - this.#seenAt > DEAD_MS;
  }
}

function pulseKey(process: string): StateKey {
  return ["parley", "process", process];
}
