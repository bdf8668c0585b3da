import assert from "node:assert/strict";
import { CONTEXT_STATEMENTS } from "./context_statements.ts";

/** The texts of a file that may be names of tests, with `*` for what varies. */
async function namesIn(file: string): Promise<Set<string>> {
  const source = await Deno.readTextFile(
    new URL(`../${file}`, import.meta.url),
  );
  const names = new Set<string>();
  const opening =
    /(?:Deno\.test|t\.step)\(\s*(?:"((?:[^"\\]|\\.)*)"|`([^`]*)`)/g;
  for (const [, text, template] of source.matchAll(opening)) {
    if (text !== undefined) names.add(JSON.parse(`"${text}"`));
    else names.add(template!.replaceAll(/\$\{[^}]*\}/g, "*"));
  }
  return names;
}

const parts = Object.entries(CONTEXT_STATEMENTS);

for (const [part, statements] of parts) {
  Deno.test(`every statement about ${part} names tests that are there`, async () => {
    for (const { says, tests } of statements) {
      assert.ok(tests.length > 0, says);
      for (const test of tests) {
        const at = test.indexOf(": ");
        const names = await namesIn(test.slice(0, at));
        assert.ok(names.has(test.slice(at + 2)), test);
      }
    }
  });
}

Deno.test("no statement of the Context contract is there twice", () => {
  const all = parts.flatMap(([, statements]) =>
    statements.map(({ says }) => says)
  );
  assert.equal(new Set(all).size, all.length);
  assert.ok(all.every((says) => says.endsWith(".")));
});
