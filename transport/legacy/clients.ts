import type { HttpRequest } from "../http_request.ts";
import type { RpcNotification, RpcRequest, RpcResponse } from "../json_rpc.ts";
import type { PostClient } from "./post.ts";

/** A client that posts more than requests. */
export interface LegacyHttpClient extends PostClient {
  /** The revision that was negotiated, as far as anyone knows. */
  readonly negotiated: string | undefined;
  /** Takes a notification. */
  notify(message: RpcNotification): void;
  /** Takes the answer to a question. */
  answer(response: RpcResponse): void;
}

/** Knows the clients of the 2025 era over HTTP. */
export interface LegacyClients {
  /**
   * Answers `initialize`.
   *
   * @returns The result, and the session that was opened, if one was.
   * @throws {WireError} When the request is malformed.
   */
  initialize(
    incoming: HttpRequest,
    message: RpcRequest,
  ): Promise<{ result: string; session?: string | undefined }>;
  /**
   * Finds out who sends a request.
   *
   * @throws {WireError} When there is no such session, or none is named.
   */
  find(incoming: HttpRequest): LegacyHttpClient | Promise<LegacyHttpClient>;
  /**
   * Answers a GET.
   *
   * @throws {WireError} When there is no stream to open or to resume.
   */
  listen(incoming: HttpRequest): Promise<Response>;
  /**
   * Answers a DELETE.
   *
   * @throws {WireError} When there is no session to end.
   */
  end(incoming: HttpRequest): Promise<Response>;
  /** Ends what lasts until the server ends it. */
  endStreams(): void;
  /** Lets go of everything. */
  close(): Promise<void>;
}
