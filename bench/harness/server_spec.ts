/** Which servers there are, and how each is started. */

import type { Kit, Mode } from "./server_options.ts";
import type { RowKind } from "./table.ts";

/** One server of a table. */
export interface ServerSpec {
  /** The row's name. */
  name: string;
  /** Whose it is. */
  kind: RowKind;
  /** The server's file, relative to `bench/`. */
  entry: string;
  /** Arguments for the server. */
  args: string[];
  /** Further options of Deno; none by default. */
  flags?: string[];
  /** Rows with the same value are compared with each other. */
  at?: string;
  /** Environment variables. */
  env?: Record<string, string>;
  /** Whether the file serves by itself instead of exporting a `fetch`. */
  standalone?: boolean;
  /** Whether an answer carries `structuredContent`; true by default. */
  structured?: boolean;
  /** A remark for the table. */
  note?: string;
}

/** What a server is to offer. */
export interface Offer {
  /** Its first tool; `echo` by default. */
  kit?: Kit;
  /** How many tools; one by default. */
  tools?: number;
  /** Which era; modern by default. */
  mode?: Mode;
}

function args(offer: Offer): string[] {
  return [
    `--kit=${offer.kit ?? "echo"}`,
    `--tools=${offer.tools ?? 1}`,
    `--mode=${offer.mode ?? "modern"}`,
  ];
}

/** The bare `Deno.serve` server, answering with the result in a file. */
export function bare(offer: Offer, answer?: string): ServerSpec {
  const file = answer === undefined ? [] : [`--answer=${answer}`];
  return {
    name: "bare Deno.serve",
    kind: "bare",
    entry: "servers/bare.ts",
    args: [...args(offer), ...file],
  };
}

/** Parley, keeping its state in memory or in a KV file. */
export function parley(offer: Offer, kv?: string): ServerSpec {
  return {
    name: kv === undefined ? "Parley" : "Parley, Deno KV",
    kind: "parley",
    entry: "servers/parley.ts",
    args: [...args(offer), ...(kv === undefined ? [] : [`--kv=${kv}`])],
  };
}

function peer(name: string, entry: string, offer: Offer): ServerSpec {
  return { name, kind: "peer", entry: `peers/${entry}`, args: args(offer) };
}

/** The official SDK's v2 line, with schemas where its documentation has them. */
export function sdkV2(offer: Offer): ServerSpec {
  return peer("SDK v2 2.4.0", "sdk_v2.ts", offer);
}

/** The same with schemas made once, outside the function that builds a server. */
export function sdkV2Shared(offer: Offer): ServerSpec {
  const spec = sdkV2(offer);
  return {
    ...spec,
    name: `${spec.name}, shared schemas`,
    args: [...spec.args, "--shared=true"],
  };
}

/** The official SDK's v1 line. */
export function sdkV1(offer: Offer): ServerSpec {
  return peer("SDK v1 1.32.2", "sdk_v1.ts", offer);
}

/** tmcp with its HTTP transport. */
export function tmcp(offer: Offer): ServerSpec {
  return { ...peer("tmcp 1.20.0", "tmcp.ts", offer), note: "always SSE" };
}

/** mcp-lite. */
export function mcpLite(offer: Offer): ServerSpec {
  return {
    ...peer("mcp-lite 0.10.0", "mcp_lite.ts", offer),
    note: "always SSE",
  };
}

/** fastmcp's edge class. */
export function fastmcpEdge(offer: Offer): ServerSpec {
  return {
    ...peer("fastmcp 4.20.16 edge", "fastmcp_edge.ts", offer),
    structured: false,
    note: "no output schema, no structured content",
  };
}

/** @hono/mcp. */
export function honoMcp(offer: Offer): ServerSpec {
  return peer("@hono/mcp 0.3.2", "hono_mcp.ts", offer);
}

/** mcp-ts-core, which is set up through the environment. */
export function mcpTsCore(offer: Offer): ServerSpec {
  return {
    ...peer("mcp-ts-core 0.10.17", "mcp_ts_core.ts", offer),
    standalone: true,
    env: {
      MCP_TRANSPORT_TYPE: "http",
      MCP_HTTP_HOST: "127.0.0.1",
      MCP_LOG_LEVEL: "error",
      MCP_SESSION_MODE: offer.mode === "session" ? "stateful" : "stateless",
    },
    note: "always SSE",
  };
}
