import { invalidRequest } from "../../errors.ts";
import type { KeepAlive } from "../sse.ts";
import { methodNotFound } from "../json_rpc.ts";
import { ClientStream } from "./client_stream.ts";
import type { PostPeer } from "./post_reply.ts";

/**
 * The client of a request that is served by itself: nothing is remembered of
 * it, and it cannot be asked anything, for no one knows what it can do.
 */
export class StatelessPeer implements PostPeer {
  readonly resumable = false;
  readonly #keepAlive: KeepAlive;

  /**
   * @param version The revision the request says it is written in.
   * @param keepAlive Sends keep-alive comments.
   */
  constructor(readonly version: string, keepAlive: KeepAlive) {
    this.#keepAlive = keepAlive;
  }

  setLogLevel(): Promise<void> {
    return Promise.resolve();
  }

  subscribe(): Promise<void> {
    throw methodNotFound("resources/subscribe");
  }

  unsubscribe(): Promise<void> {
    throw methodNotFound("resources/unsubscribe");
  }

  openStream(_ids: readonly unknown[], onGone: () => void): ClientStream {
    return new ClientStream({ keepAlive: this.#keepAlive, onGone });
  }

  ask(): Promise<never> {
    return Promise.reject(
      invalidRequest("Cannot ask the client for input without a session"),
    );
  }
}
