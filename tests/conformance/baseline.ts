/** The checks that are known to fail, `scenario:check-id`, by revision. */
export type Baseline = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Reads a baseline file: of YAML, top-level keys with lists of plain strings
 * below them, and comments.
 *
 * @throws {SyntaxError} Naming the line that is something else.
 */
export function parseBaseline(text: string): Baseline {
  const baseline = new Map<string, Set<string>>();
  let current: Set<string> | undefined;
  for (const [index, line] of text.split("\n").entries()) {
    const content = line.replace(/(^|\s)#.*$/, "").trimEnd();
    if (content === "") continue;
    const key = /^"([^"]+)":( \[\])?$/.exec(content)?.[1];
    const entry = /^ {2}- ([\w.-]+:[\w.-]+)$/.exec(content)?.[1];
    if (key !== undefined) baseline.set(key, current = new Set());
    else if (entry !== undefined && current !== undefined) current.add(entry);
    else throw new SyntaxError(`Baseline line ${index + 1}: "${line}"`);
  }
  return baseline;
}
