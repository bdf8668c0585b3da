import { ErrorCode } from "../../errors.ts";
import type { ClientCapabilities, Implementation } from "../../types.ts";
import type { Engine } from "../engine.ts";
import { isObject, type JsonObject, WireError } from "../json_rpc.ts";
import { isImplementation } from "../modern/envelope.ts";
import { LEGACY_VERSIONS } from "../protocol.ts";

/** What a client said of itself when it began. */
export interface LegacyClient {
  /** The revision that was negotiated. */
  readonly version: string;
  /** What it can do. */
  readonly capabilities: ClientCapabilities;
  /** Who it says it is. */
  readonly info: Implementation | undefined;
}

/**
 * Reads the params of `initialize` (2025-11-25, basic, lifecycle), and settles
 * on a revision: the one asked for, or else the newest one that begins so.
 *
 * @throws {WireError} -32602 naming the field that is missing or malformed.
 */
export function readInitialize(params: JsonObject): LegacyClient {
  const { protocolVersion, capabilities = {}, clientInfo } = params;
  if (typeof protocolVersion !== "string") {
    throw malformed("protocolVersion", "a string");
  }
  if (!isObject(capabilities)) throw malformed("capabilities", "an object");
  if (clientInfo !== undefined && !isImplementation(clientInfo)) {
    throw malformed("clientInfo", "an object with name and version");
  }
  return {
    version: LEGACY_VERSIONS.includes(protocolVersion)
      ? protocolVersion
      : LEGACY_VERSIONS[0]!,
    capabilities: normalized(capabilities),
    info: clientInfo,
  };
}

/** Elicitation had no modes at first: the bare capability means forms. */
function normalized(capabilities: JsonObject): ClientCapabilities {
  const { elicitation } = capabilities;
  if (
    !isObject(elicitation) || "form" in elicitation || "url" in elicitation
  ) {
    return capabilities as ClientCapabilities;
  }
  return { ...capabilities, elicitation: { ...elicitation, form: {} } };
}

function malformed(field: string, wanted: string): WireError {
  return new WireError(
    ErrorCode.InvalidParams,
    `Malformed request: ${field} must be ${wanted}`,
    { field },
  );
}

/**
 * Writes the result of `initialize`.
 *
 * @param listens Whether the client has a stream on which it can hear of
 * changes.
 */
export function initializeResult(
  engine: Engine,
  version: string,
  listens: boolean,
): string {
  const { tools, prompts, resources, templates, completes } = engine.catalog;
  const changes = listens ? { listChanged: true } : {};
  return JSON.stringify({
    protocolVersion: version,
    capabilities: {
      tools: tools.size > 0 ? changes : undefined,
      prompts: prompts.size > 0 ? changes : undefined,
      resources: resources.size + templates.length > 0
        ? { ...changes, ...(listens && { subscribe: true }) }
        : undefined,
      completions: completes ? {} : undefined,
      logging: {},
    },
    serverInfo: engine.info,
    instructions: engine.instructions,
  });
}
