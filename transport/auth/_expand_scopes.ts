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
