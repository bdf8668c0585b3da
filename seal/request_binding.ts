import { canonicalJson } from "./canonical_json.ts";

/** What state is bound to: who called, and with what. */
export interface RequestBindingParts {
  /** The authenticated client, if there is one. */
  readonly clientId?: string | undefined;
  /** The authenticated person, if there is one. */
  readonly subject?: string | undefined;
  /** The tenant of the caller, if there is one. */
  readonly tenantId?: string | undefined;
  /** The method, such as `"tools/call"`. */
  readonly method: string;
  /** The name of the tool or prompt, or the URI of the resource. */
  readonly target: string;
  /** The arguments, a JSON value. Left out is the same as `{}`. */
  readonly args?: unknown;
  /** The server, where several share a key. */
  readonly audience?: string | undefined;
}

/**
 * Gives the string that binds state to one caller and one call, for
 * {@linkcode Sealer}. Parts that differ give strings that differ, except for
 * what makes no difference to the call: the order of keys in the arguments, and
 * the spelling of numbers. A part left out differs from an empty one.
 *
 * ```ts
 * import { requestBinding } from "@parley/mcp/seal";
 * import assert from "node:assert/strict";
 *
 * const call = { subject: "ann", method: "tools/call", target: "wipe" };
 * assert.equal(
 *   requestBinding({ ...call, args: { x: 1, y: 2 } }),
 *   requestBinding({ ...call, args: { y: 2.0, x: 1 } }),
 * );
 * assert.notEqual(
 *   requestBinding({ ...call, args: { x: 1 } }),
 *   requestBinding({ ...call, args: { x: 2 } }),
 * );
 * ```
 *
 * @param parts The caller and the call.
 * @returns A JSON array, always well-formed Unicode.
 * @throws {RangeError} When the arguments are nested more than 1,000 levels
 * deep.
 * @throws {TypeError} When they are not a JSON value.
 */
export function requestBinding(parts: RequestBindingParts): string {
  const { clientId, subject, tenantId, method, target, audience } = parts;
  const { args = {} } = parts;
  const caller = JSON.stringify([
    "parley.requestState.v1",
    clientId ?? null,
    subject ?? null,
    tenantId ?? null,
    audience ?? null,
    method,
    target,
  ]);
  return `[${caller},${canonicalJson(args)}]`;
}
