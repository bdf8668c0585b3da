/** One behaviour that the 2026-07-28 specification asks of servers. */
export interface Requirement {
  /** Names it in this table. */
  readonly id: string;
  /** The behaviour, in words of our own. */
  readonly text: string;
  /** The page of the specification, and the section on it. */
  readonly spec: string;
  /** The tests that hold the server to it. */
  readonly tests?: readonly TestName[];
  /** Why there is no test. */
  readonly why?: string;
}

/** A test, by the file it is in and its name, as the file spells it. */
export interface TestName {
  /** The file, below `tests/`. */
  readonly file: string;
  /** The name; with its placeholders, where it has any. */
  readonly name: string;
}

/** Names a test. */
export function test(file: string, name: string): TestName {
  return { file: `${file}_test.ts`, name };
}
