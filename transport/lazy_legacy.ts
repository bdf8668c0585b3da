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
      this.#legacy().then((legacy) => legacy.post(incoming, body));
  }

  get(incoming: HttpRequest): Promise<Response> {
    return this.#legacy().then((legacy) => legacy.get(incoming));
  }

  delete(incoming: HttpRequest): Promise<Response> {
    return this.#legacy().then((legacy) => legacy.delete(incoming));
  }

  endStreams(): void {
    this.#loaded?.endStreams();
  }

  async close(): Promise<void> {
    const legacy = await this.#loading?.catch(() => undefined);
    await legacy?.close();
  }

  #legacy(): Promise<LegacyHttp> {
    return this.#loading ??= this.#make();
  }

  async #make(): Promise<LegacyHttp> {
    try {
      return this.#loaded = await this.#load();
    } catch (error) {
      // What could not be loaded now may be there the next time.
      this.#loading = undefined;
      throw error;
    }
  }
}
