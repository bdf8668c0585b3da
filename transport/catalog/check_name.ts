/** A control character, or half of a surrogate pair. */
const UNUSABLE = /[\p{Cc}\p{Cs}]/u;

/**
 * Refuses names that cannot be sent. The specification recommends 1 to 128 of
 * `A-Z a-z 0-9 _ - .`, and leaves others to the server.
 *
 * @throws {TypeError} Naming the definition and what is wrong with its name.
 */
export function checkName(kind: string, name: unknown): void {
  if (typeof name !== "string" || name === "") {
    throw new TypeError(
      `Cannot use a ${kind} without a name: give it 1 to 128 characters`,
    );
  }
  if (name.length > 128) {
    throw new TypeError(
      `Cannot use the ${kind} name "${
        name.slice(0, 32)
      }…": it has ${name.length} characters, and at most 128 are allowed`,
    );
  }
  if (UNUSABLE.test(name)) {
    throw new TypeError(
      `Cannot use the ${kind} name ${
        JSON.stringify(name)
      }: it has control characters or ill-formed Unicode`,
    );
  }
}
