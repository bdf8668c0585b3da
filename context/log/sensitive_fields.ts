/**
 * The names that a process adds to those that stand for secrets. What looks
 * for them, `redact.ts`, is loaded with the first line.
 *
 * @module
 */

/** The one process-wide value: the names that the user added. */
export const added: { fields: readonly string[]; turn: number } = {
  fields: [],
  turn: 0,
};

/**
 * Adds to the names whose values are masked in every log of this process.
 * Case and separators do not matter: `"home_address"` also covers
 * `homeAddress` and `userHomeAddress`.
 *
 * @throws {TypeError} If a name holds no letter or digit.
 */
export function setSensitiveFields(fields: readonly string[]): void {
  const all = new Set([...added.fields, ...fields.map(normalizeField)]);
  added.fields = [...all];
  added.turn++;
}

/**
 * The form in which names are compared.
 *
 * @throws {TypeError} If the name holds no letter.
 */
export function normalizeField(field: string): string {
  const name = field.normalize("NFKC").toLowerCase()
    .replace(/[^\p{L}]+/gu, "");
  if (name === "") {
    throw new TypeError(
      `Cannot mask the field ${JSON.stringify(field)}: ` +
        "a field name must hold a letter",
    );
  }
  return name;
}
