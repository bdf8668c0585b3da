import type { AuthContext } from "../context/auth_context.ts";
import type { Authenticator } from "./auth/authenticator.ts";
import type { Guard } from "./guard.ts";
import type { ServingStatus } from "./serving_status.ts";
import type { KeepAlive } from "./sse.ts";

/** What the server says of a connection; the second argument of a fetch handler. */
export interface ServeInfo {
  /** Where the request comes from. */
  readonly remoteAddr?: { readonly hostname?: string };
}

/** A handler of the Fetch standard, as Deno, Bun and Workers take it. */
export type FetchHandler = (
  request: Request,
  info?: ServeInfo,
) => Promise<Response>;

/** How an app is served over HTTP. */
export interface HttpOptions {
  /** Where the endpoint is; `"*"` for every path. */
  readonly path: string;
  /** Where the health check is; `undefined` for none. */
  readonly healthPath: string | undefined;
  /** Whether requests can be served. */
  readonly status: ServingStatus;
  /** Judges hosts and origins. */
  readonly guard: Guard;
  /** The most bytes a body may have; 0 for no limit. */
  readonly maxBodyBytes: number;
  /** Sends keep-alive comments on streams. */
  readonly keepAlive: KeepAlive;
  /** Checks credentials; `undefined` when there are none to check. */
  readonly authenticator: Authenticator | undefined;
  /** Serves the 2025 era. */
  readonly legacy: LegacyHttp;
}

/** A request as it came in, past the guard. */
export interface HttpRequest {
  /** The request. */
  readonly request: Request;
  /** What its credentials say. */
  readonly auth: AuthContext | undefined;
  /** The `MCP-Protocol-Version` header. */
  readonly version: string | null;
  /** The `Mcp-Method` header. */
  readonly mcpMethod: string | null;
  /** The `Mcp-Name` header. */
  readonly mcpName: string | null;
  /** Whether a server told of its connection. */
  readonly served: boolean;
}

/** The 2025 era over HTTP. */
export interface LegacyHttp {
  /** Answers a POST whose body is not of the 2026-07-28 revision. */
  post(incoming: HttpRequest, body: unknown): Promise<Response>;
  /** Answers a GET: the session's stream. */
  get(incoming: HttpRequest): Promise<Response>;
  /** Answers a DELETE: ends the session. */
  delete(incoming: HttpRequest): Promise<Response>;
  /** Ends the streams that last until the server ends them. */
  endStreams(): void;
  /** Ends everything, and lets go of it. */
  close(): Promise<void>;
}
