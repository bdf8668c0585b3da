import type { LogCategory } from "../context/log/process_line.ts";
import { logProcess } from "../context/log/process_log.ts";
import { configurationError } from "../errors.ts";
import type { Authenticator } from "./auth/authenticator.ts";
import { isLoopbackAddress, isLoopbackHost } from "./guard.ts";

const SERVER: LogCategory = ["parley"];

/**
 * Looks at what an address that others can reach means for a server.
 *
 * @throws {McpError} `configurationError` in `oauth` mode without a resource
 * identifier: clients that come from elsewhere could not be told where to get a token.
 */
export function checkExposure(
  hostname: string,
  authenticator: Authenticator | undefined,
): void {
  if (isLoopbackHost(hostname) || isLoopbackAddress(hostname)) return;
  if (authenticator === undefined) {
    logProcess(
      SERVER,
      "warning",
      "Listening on {hostname} without authentication: everyone who reaches this address can call the server",
      { hostname },
    );
    return;
  }
  if (authenticator.mode === "oauth" && authenticator.resource === undefined) {
    throw configurationError(
      `Cannot listen on ${hostname} with OAuth: set publicUrl to the URL that clients reach the server at`,
    );
  }
}

/** The URL of a path at an address. */
export function urlOf(
  { hostname, port }: { readonly hostname: string; readonly port: number },
  path: string,
): string {
  const host = hostname.includes(":") ? `[${hostname}]` : hostname;
  return `http://${host}:${port}${path}`;
}
