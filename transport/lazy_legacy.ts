import type { HttpRequest, LegacyHttp } from "./http_request.ts";

/**
 * The 2025 era over HTTP, loaded with the first request of it: an app whose
 * clients are all newer starts faster without.
 */
export class LazyLegacy implements LegacyHttp {
  readonly #load: () => Promise<LegacyHttp>;
  #loading: Promise<LegacyHttp> | undefined;
  #loaded: LegacyHttp | undefined;

  /** @param load Makes it. */
  constructor(load: () => Promise<LegacyHttp>) {
    this.#load = load;
  }

  post(incoming: HttpRequest, body: unknown): Promise<Response> {
    return this.#loaded?.post(incoming, body) ??
      this.#first((legacy) => legacy.post(incoming, body));
  }

  get(incoming: HttpRequest): Promise<Response> {
    return this.#loaded?.get(incoming) ??
      this.#first((legacy) => legacy.get(incoming));
  }

  delete(incoming: HttpRequest): Promise<Response> {
    return this.#loaded?.delete(incoming) ??
      this.#first((legacy) => legacy.delete(incoming));
  }

  endStreams(): void {
    this.#loaded?.endStreams();
  }

  async close(): Promise<void> {
    const legacy = await this.#loading?.catch(() => undefined);
    await legacy?.close();
  }

  /** Serves one of the requests that come before it is loaded. */
  async #first(
    serve: (legacy: LegacyHttp) => Promise<Response>,
  ): Promise<Response> {
    const legacy = await (this.#loading ??= this.#make());
    // Set by the first who waits, not by the load: what comes between the two
    // must not overtake those who wait.
    this.#loaded ??= legacy;
    return await serve(legacy);
  }

  async #make(): Promise<LegacyHttp> {
    try {
      return await this.#load();
    } catch (error) {
      // What could not be loaded now may be there the next time.
      this.#loading = undefined;
      throw error;
    }
  }
}
