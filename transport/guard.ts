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
   * @param loopback Whether the connection comes from this machine.
   * @returns What is wrong; `undefined` when the request may pass.
   */
  refusal(
    host: string,
    origin: string | null,
    loopback: boolean,
  ): string | undefined;
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

  function hostAllowed(host: string, loopback: boolean): boolean {
    if (anyHost || (hosts.size === 0 && !loopback)) return true;
    if (isLoopbackHost(host)) return true;
    return hosts.has(host) || hosts.has(withoutPort(host));
  }

  function originAllowed(origin: string, host: string): boolean {
    if (anyOrigin || origins.has(origin)) return true;
    const separator = origin.indexOf("://");
    if (separator === -1) return false;
    const originHost = origin.slice(separator + 3);
    if (originHost === host) return true;
    return isLoopbackHost(originHost) && isLoopbackHost(host);
  }

  return {
    refusal(host, origin, loopback) {
      const name = host.toLowerCase();
      if (!hostAllowed(name, loopback)) return "Host not allowed";
      if (origin === null || originAllowed(origin.toLowerCase(), name)) {
        return undefined;
      }
      return "Origin not allowed";
    },
  };
}

/** Whether a host, with or without a port, names this machine. */
export function isLoopbackHost(host: string): boolean {
  const name = withoutPort(host);
  return name === "localhost" || name === "[::1]" || isLoopbackAddress(name);
}

/** Whether an IP address is a loopback one. */
export function isLoopbackAddress(address: string): boolean {
  return /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(address) ||
    address === "::1" || address.startsWith("::ffff:127.");
}

function withoutPort(host: string): string {
  if (host.startsWith("[")) return host.slice(0, host.indexOf("]") + 1);
  const colon = host.indexOf(":");
  return colon === -1 ? host : host.slice(0, colon);
}
