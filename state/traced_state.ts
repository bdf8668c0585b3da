import type {
  ContextState,
  StateListOptions,
  StatePage,
  StateUpdateOptions,
  StateWriteOptions,
} from "./context_state.ts";
import type { StateSchema } from "./value.ts";

/**
 * Runs one operation inside a span.
 *
 * @param operation The method, such as `"get"`.
 * @param key The key or prefix, for the methods that have one.
 * @param run Does it.
 */
export type StateSpan = <T>(
  operation: string,
  key: string | undefined,
  run: () => Promise<T>,
) => Promise<T>;

/** A {@linkcode ContextState} that runs every operation inside a span. */
export class TracedState implements ContextState {
  readonly #state: ContextState;
  readonly #span: StateSpan;

  constructor(state: ContextState, span: StateSpan) {
    this.#state = state;
    this.#span = span;
  }

  get<T>(key: string, schema?: StateSchema<T>): Promise<T | null> {
    return this.#span(
      "get",
      key,
      () =>
        schema === undefined
          ? this.#state.get<T>(key)
          : this.#state.get(key, schema),
    );
  }

  set(
    key: string,
    value: unknown,
    options?: StateWriteOptions,
  ): Promise<void> {
    return this.#span("set", key, () => this.#state.set(key, value, options));
  }

  delete(key: string): Promise<void> {
    return this.#span("delete", key, () => this.#state.delete(key));
  }

  deleteMany(keys: readonly string[]): Promise<number> {
    return this.#span(
      "deleteMany",
      undefined,
      () => this.#state.deleteMany(keys),
    );
  }

  getMany<T>(keys: readonly string[]): Promise<Map<string, T>> {
    return this.#span("getMany", undefined, () => this.#state.getMany(keys));
  }

  setMany(
    entries: ReadonlyMap<string, unknown>,
    options?: StateWriteOptions,
  ): Promise<void> {
    return this.#span(
      "setMany",
      undefined,
      () => this.#state.setMany(entries, options),
    );
  }

  list(prefix?: string, options?: StateListOptions): Promise<StatePage> {
    return this.#span("list", prefix, () => this.#state.list(prefix, options));
  }

  take<T>(key: string, schema?: StateSchema<T>): Promise<T | null> {
    return this.#span(
      "take",
      key,
      () =>
        schema === undefined
          ? this.#state.take<T>(key)
          : this.#state.take(key, schema),
    );
  }

  update<T>(
    key: string,
    next: (current: T | null) => T | undefined | Promise<T | undefined>,
    options?: StateUpdateOptions<T>,
  ): Promise<T | null> {
    return this.#span(
      "update",
      key,
      () => this.#state.update(key, next, options),
    );
  }
}
