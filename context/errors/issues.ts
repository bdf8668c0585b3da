/**
 * Validation issues as text that a model can act on.
 *
 * @module
 */

/** One step into a value: a key, or an object that holds it. */
export type IssuePathItem = PropertyKey | { readonly key: PropertyKey };

/** One thing that is wrong with a value, as Standard Schema describes it. */
export interface Issue {
  /** What is wrong. */
  readonly message: string;
  /** Where it is wrong; absent or empty for the whole value. */
  readonly path?: readonly IssuePathItem[] | undefined;
}

const MAX_ISSUES = 50;

/**
 * Writes issues one a line as `path: message`, with paths such as `a.b[0]`.
 * An issue of the whole value is its message alone. After fifty the rest are
 * only counted.
 */
export function issuesText(issues: readonly Issue[]): string {
  const lines = issues.slice(0, MAX_ISSUES).map(issueText);
  const rest = issues.length - lines.length;
  if (rest > 0) lines.push(`and ${rest} more`);
  return lines.join("\n");
}

/**
 * Writes the path of an issue: `a.b[0]`, or `["a-b"]` for a key that is no
 * identifier. Empty for the whole value.
 */
export function issuePath(issue: Issue): string {
  if (!Array.isArray(issue.path)) return "";
  let path = "";
  for (const item of issue.path as readonly unknown[]) path += step(path, item);
  return path;
}

function issueText(issue: Issue): string {
  const path = issuePath(issue);
  const message = String(issue.message);
  return path === "" ? message : `${path}: ${message}`;
}

function step(before: string, item: unknown): string {
  const key = typeof item === "object" && item !== null
    ? Reflect.get(item, "key")
    : item;
  if (typeof key === "number") return `[${key}]`;
  const name = String(key);
  if (!isIdentifier(name)) {
    return `[${typeof key === "symbol" ? name : JSON.stringify(name)}]`;
  }
  return before === "" ? name : `.${name}`;
}

function isIdentifier(name: string): boolean {
  // Not made at the start, where few need it: the classes take 0.4 ms.
  return /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(name);
}
