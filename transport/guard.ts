import type { LogCategory } from "../context/log/process_line.ts";
import { logProcess } from "../context/log/process_log.ts";
import { configurationError } from "../errors.ts";
import type { Authenticator } from "./auth/authenticator.ts";

/** What {@linkcode createGuard} takes. */
export interface GuardOptions {
  /** `Host` values served besides loopback ones; `"*"` for all. */
  readonly allowedHosts: readonly string[];
  /** `Origin` values served besides same-origin and loopback ones; `"*"` for all. */
  readonly allowedOrigins: readonly string[];
}

/** Judges where a request comes from, before its body is read. */
export interface Guard {
  /**
   * @param host The `Host` header, or the host of the URL.
   * @param origin The `Origin` header.
   * @param isLocal Whether the connection comes from this machine; asked only
   * where it makes a difference.
   * @returns What is wrong; `undefined` when the request may pass.
   */
  refusal(
    host: string,
    origin: string | null,
    isLocal: () => boolean,
  ): string | undefined;
  /**
   * Whether pages of an origin may read why their request was refused: only
   * those that are allowed wherever the request went.
   */
  lists(origin: string): boolean;
}

/**
 * Makes the guard against DNS rebinding and foreign pages (2026-07-28, basic,
 * transports, Streamable HTTP, security).
 *
 * A connection from loopback must name a loopback host, or one of
 * `allowedHosts`; where `allowedHosts` is given it holds for every connection.
 * An `Origin` must be the host itself, loopback where the host is, or one of
 * `allowedOrigins`.
 */
export function createGuard(options: GuardOptions): Guard {
  const hosts = new Set(options.allowedHosts.map((host) => host.toLowerCase()));
  const origins = new Set(
    options.allowedOrigins.map((origin) => origin.toLowerCase()),
  );
  const anyHost = hosts.has("*");
  const anyOrigin = origins.has("*");

  /** Whether a host may be named wherever the connection comes from. */
  function hostListed(host: string): boolean {
    if (anyHost) return true;
    const name = hostName(host);
    if (name === undefined) return false;
    return isLoopbackName(name) || hosts.has(host) || hosts.has(name);
  }

  function originAllowed(origin: string, host: string): boolean {
    if (anyOrigin || origins.has(origin)) return true;
    // Pages have no other schemes; "null" and extensions must be listed.
    const [, originHost] = /^https?:\/\/(.+)$/.exec(origin) ?? [];
    if (originHost === undefined) return false;
    if (originHost === host) return true;
    return isLoopbackHost(originHost) && isLoopbackHost(host);
  }

  // Most requests name the host of the one before.
  let lastListed: string | undefined;

  return {
    refusal(host, origin, isLocal) {
      if (host === lastListed && origin === null) return undefined;
      const name = host.toLowerCase();
      if (hostListed(name)) lastListed = host;
      else if (hosts.size > 0 || isLocal()) {
        return "Host not allowed: it is neither loopback nor in allowedHosts";
      }
      if (origin === null || originAllowed(origin.toLowerCase(), name)) {
        return undefined;
      }
      return "Origin not allowed: it is neither the server's own nor in allowedOrigins";
    },
    lists: (origin) => anyOrigin || origins.has(origin.toLowerCase()),
  };
}

/** Whether a host, with or without a port, names this machine. */
export function isLoopbackHost(host: string): boolean {
  const name = hostName(host);
  return name !== undefined && isLoopbackName(name);
}

/** Whether an IP address is a loopback one. */
export function isLoopbackAddress(address: string): boolean {
  return address === "127.0.0.1" || address === "::1" ||
    /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(address) ||
    address.startsWith("::ffff:127.");
}

function isLoopbackName(name: string): boolean {
  return name === "localhost" || name === "[::1]" || isLoopbackAddress(name);
}

/** The host without its port; `undefined` when it is not a host and a port. */
function hostName(host: string): string | undefined {
  return /^(\[[0-9a-f:.]+\]|[^\s:/?#@\\[\]]+)(?::\d{1,5})?$/i.exec(host)?.[1];
}

/** Whether text can stand in `allowedHosts`. */
export function isHostPattern(text: unknown): boolean {
  return typeof text === "string" &&
    (text === "*" || hostName(text) !== undefined);
}

/** Whether text can stand in `allowedOrigins`: as browsers send it, `null` included. */
export function isOriginPattern(text: unknown): boolean {
  if (typeof text !== "string") return false;
  if (text === "*" || text === "null") return true;
  const [, scheme, host] = /^([a-z][a-z0-9+.-]*):\/\/(.+)$/i.exec(text) ?? [];
  return scheme !== undefined && host !== undefined &&
    hostName(host) !== undefined;
}

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
