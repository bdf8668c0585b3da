import type { ClientCapabilities, InputRequests } from "../types.ts";
import { ErrorCode, McpError } from "../errors.ts";
import { isJsonObject, type JsonObject, ownValue } from "./_json_schema.ts";

/** One capability that an embedded request needs, or an answer shows. */
export type InputCapability =
  | "elicitation"
  | "elicitation.form"
  | "elicitation.url"
  | "sampling"
  | "sampling.tools"
  | "roots";

/**
 * Tells whether a client declared a capability. A bare `elicitation: {}` is a
 * declaration of form mode, as it was before there were modes. What is not
 * declared as an object is not declared, and neither is anything without a
 * view of the client's capabilities.
 */
export function declares(
  capabilities: ClientCapabilities | undefined,
  capability: InputCapability,
): boolean {
  const [name = "", mode] = capability.split(".");
  const declared = memberOf(capabilities, name);
  if (declared === undefined) return false;
  if (mode === undefined || memberOf(declared, mode) !== undefined) return true;
  return capability === "elicitation.form" &&
    !Object.hasOwn(declared, "form") && !Object.hasOwn(declared, "url");
}

function memberOf(object: unknown, key: string): JsonObject | undefined {
  const value = isJsonObject(object) ? ownValue(object, key) : undefined;
  return isJsonObject(value) ? value : undefined;
}

/** What one embedded request needs; nothing when its method is not known. */
function neededFor(request: unknown): InputCapability | undefined {
  if (!isJsonObject(request)) return undefined;
  const params = memberOf(request, "params") ?? {};
  switch (ownValue(request, "method")) {
    case "elicitation/create":
      return ownValue(params, "mode") === "url"
        ? "elicitation.url"
        : "elicitation.form";
    case "sampling/createMessage":
      return ownValue(params, "tools") === undefined &&
          ownValue(params, "toolChoice") === undefined
        ? "sampling"
        : "sampling.tools";
    case "roots/list":
      return "roots";
    default:
      return undefined;
  }
}

/**
 * Finds what a client would have to declare to be sent these requests, in the
 * shape of `data.requiredCapabilities`; `undefined` when it declared it all.
 *
 * @param requests The embedded requests of one round.
 * @param capabilities What the client declared for this call; `undefined` when
 * there is no view of it, which declares nothing.
 */
export function missingCapabilities(
  requests: InputRequests,
  capabilities: ClientCapabilities | undefined,
): ClientCapabilities | undefined {
  const missing: Record<string, Record<string, JsonObject>> = {};
  for (const request of Object.values(requests)) {
    const needed = neededFor(request);
    if (needed === undefined || declares(capabilities, needed)) continue;
    const [name = "", mode] = needed.split(".");
    const members = missing[name] ??= {};
    if (mode !== undefined) members[mode] = {};
  }
  return Object.keys(missing).length > 0 ? missing : undefined;
}

/**
 * Names capabilities for a person to read: `` `elicitation.form` ``, and with
 * several of them `` `elicitation.form` and `roots` ``.
 */
export function describeCapability(
  capabilities: ClientCapabilities,
): string {
  const names = Object.entries(capabilities).flatMap(([name, members]) => {
    const modes = isJsonObject(members) ? Object.keys(members) : [];
    return modes.length === 0 ? [name] : modes.map((mode) => `${name}.${mode}`);
  }).map((name) => `\`${name}\``);
  const last = names.pop() ?? "";
  return names.length === 0 ? last : `${names.join(", ")} and ${last}`;
}

/** Options of {@linkcode capabilityRefusal}. */
export interface CapabilityRefusalOptions {
  /**
   * A sentence put behind the hint: how to supply the answer in the call.
   *
   * @default undefined
   */
  fallbackHint?: string | undefined;
  /** Whether the call came without a session, so that nothing was declared. */
  stateless: boolean;
}

/**
 * Builds the refusal of a question to a 2025-era client that did not declare
 * what it takes to be asked: an invalid request (-32600) whose data carries
 * `reason: "client_capability_missing"`, `requiredCapabilities` and a
 * `recovery.hint` that names the capability.
 *
 * @param missing What is missing, from {@linkcode missingCapabilities}.
 * @param options Whether there was a session, and a sentence for the hint.
 */
export function capabilityRefusal(
  missing: ClientCapabilities,
  options: CapabilityRefusalOptions,
): McpError {
  const named = `${describeCapability(missing)} ${
    describeCapability(missing).includes(" and ")
      ? "capabilities"
      : "capability"
  }`;
  const message = options.stateless
    ? `Cannot ask the client for input: this request was served without a session, so the client could not declare the ${named}`
    : `Cannot ask the client for input: it did not declare the ${named}`;
  const hint = options.stateless
    ? `Reconnect over a stateful session with a client that declares the ${named}.`
    : `Reconnect with a client that declares the ${named}.`;
  const { fallbackHint } = options;
  return new McpError(ErrorCode.InvalidRequest, message, {
    reason: "client_capability_missing",
    requiredCapabilities: missing,
    recovery: {
      hint: fallbackHint === undefined ? hint : `${hint} ${fallbackHint}`,
    },
  });
}

/**
 * Refuses questions to a 2025-era client that cannot answer every one of them.
 *
 * @param requests The questions.
 * @param capabilities What it declared; `undefined` without a session.
 * @param fallbackHint A sentence put behind the hint of the refusal.
 * @returns `undefined` when it can be asked.
 */
export function refuseQuestions(
  requests: InputRequests,
  capabilities: ClientCapabilities | undefined,
  fallbackHint?: string,
): McpError | undefined {
  const missing = missingCapabilities(requests, capabilities);
  return missing &&
    capabilityRefusal(missing, {
      fallbackHint,
      stateless: capabilities === undefined,
    });
}

/**
 * Builds the same refusal for a 2026-07-28 client: -32021 with
 * `data.requiredCapabilities`.
 *
 * @param missing What is missing, from {@linkcode missingCapabilities}.
 */
export function missingCapabilityError(
  missing: ClientCapabilities,
): McpError {
  return new McpError(
    ErrorCode.MissingClientCapability,
    `Cannot ask the client for input: the request does not declare ${
      describeCapability(missing)
    }`,
    { requiredCapabilities: missing },
  );
}
