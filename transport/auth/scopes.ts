import { configurationError } from "../../errors.ts";

/** RFC 6749, section 3.3. */
const SCOPE = /^[\x21\x23-\x5B\x5D-\x7E]+$/;

/**
 * Refuses lists that a challenge could not name.
 *
 * @param name What the list is, for the message: `auth.requiredScopes`, say.
 * @param scopes The list.
 * @throws {McpError} 500 naming the first string that is no scope.
 */
export function assertScopes(name: string, scopes: readonly string[]): void {
  if (!Array.isArray(scopes)) {
    throw configurationError(`${name} is not an array, wanted scopes`);
  }
  for (const scope of scopes) {
    if (typeof scope === "string" && SCOPE.test(scope)) continue;
    throw configurationError(
      `${name} holds ${JSON.stringify(scope)}, wanted a scope: printable ` +
        "ASCII without spaces, quotes and backslashes",
    );
  }
}

/**
 * The scopes, each once, with those that they bring along.
 *
 * @param scopes What was granted.
 * @param hierarchy Which scopes a broader one implies.
 */
export function expandScopes(
  scopes: readonly string[],
  hierarchy: Readonly<Record<string, readonly string[]>> | undefined,
): readonly string[] {
  const all = new Set(scopes);
  if (hierarchy !== undefined) {
    // A set being walked also yields what is added meanwhile.
    for (const scope of all) {
      if (!Object.hasOwn(hierarchy, scope)) continue;
      for (const implied of hierarchy[scope] ?? []) all.add(implied);
    }
  }
  return Object.freeze([...all]);
}
