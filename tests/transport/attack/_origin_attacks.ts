import { type Attack, callWith, credentials, PAGE } from "./_target.ts";

const FORBIDDEN = { status: 403, code: -32600 } as const;

function refused(
  name: string,
  headers: Readonly<Record<string, string>>,
  more: Partial<Attack> = {},
): Attack {
  return {
    name,
    request: async () => callWith({ ...await credentials(), ...headers }),
    ...FORBIDDEN,
    ...more,
  };
}

function origin(name: string, value: string): Attack {
  return refused(name, { origin: value }, { message: /^Origin not allowed/ });
}

function host(name: string, value: string, from?: string): Attack {
  return refused(name, { host: value }, {
    message: /^Host not allowed/,
    ...(from !== undefined && { from }),
  });
}

/** Pages that are not trusted, and names that lead here by a trick. */
export const originAttacks: readonly Attack[] = [
  origin("a foreign page", "https://evil.example.net"),
  origin("a page without an origin", "null"),
  origin("a page whose host begins like the trusted one", `${PAGE}.evil.net`),
  origin(
    "a page whose host ends like the trusted one",
    "https://xpage.example.com",
  ),
  origin("the trusted page over another scheme", "http://page.example.com"),
  origin("the trusted page on another port", `${PAGE}:8443`),
  origin(
    "a page whose host begins like a local one",
    "http://localhost.evil.net",
  ),
  origin(
    "a page whose host begins like a local address",
    "http://127.0.0.1.evil.net",
  ),
  origin(
    "a local name as the user of another host",
    "http://localhost:80@evil.net",
  ),
  origin("a local name under another scheme", "ftp://localhost"),
  origin("something that is no origin", "evil"),
  origin("two origins", `${PAGE}, https://evil.example.net`),
  host("a rebound name", "evil.test"),
  host("a rebound name with a port", "evil.test:8000"),
  host(
    "a rebound name that begins like a local address",
    "127.0.0.1.evil.test",
  ),
  host("a rebound name that begins like a local one", "localhost.evil.test"),
  host("a name with a local one as its user", "localhost@evil.test"),
  host("a local name with a port that is none", "localhost:80@evil.test"),
  host("the address of all interfaces", "0.0.0.0:8000"),
  host("a decimal form of the local address", "2130706433"),
  host(
    "a foreign name from elsewhere, where hosts are listed",
    "evil.test",
    "203.0.113.9",
  ),
  host(
    "a name that ends like a listed one",
    "evilpub.example.com",
    "203.0.113.9",
  ),
  refused("a rebound page, which is its server's own", {
    host: "evil.test",
    origin: "http://evil.test",
  }, { message: /^Host not allowed/ }),
  refused("a spoofed forwarding header", {
    host: "evil.test",
    "x-forwarded-host": "pub.example.com",
    forwarded: "host=pub.example.com",
  }, { message: /^Host not allowed/ }),
  {
    name: "a foreign page's preflight",
    request: () =>
      new Request("http://localhost/mcp", {
        method: "OPTIONS",
        headers: {
          origin: "https://evil.example.net",
          "access-control-request-method": "POST",
        },
      }),
    ...FORBIDDEN,
  },
];
