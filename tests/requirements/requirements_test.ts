import assert from "node:assert/strict";
import type { TestName } from "./requirement.ts";
import { REQUIREMENTS } from "./requirements.ts";

const TESTS = new URL("../", import.meta.url);

/** Whether a file declares a test of this name. */
async function isDeclared({ file, name }: TestName): Promise<boolean> {
  const source = await Deno.readTextFile(new URL(file, TESTS));
  const literal = name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  const declaration = new RegExp(`[tT]est\\(\\s*(["'\`])${literal}\\1`);
  return declaration.test(source);
}

Deno.test("every requirement has a test that exists, or a reason for having none", async () => {
  for (const { id, tests, why } of REQUIREMENTS) {
    assert.ok(
      (tests !== undefined && tests.length > 0) !== (why !== undefined),
      `${id} needs tests, or a reason`,
    );
    for (const test of tests ?? []) {
      assert.ok(
        await isDeclared(test),
        `${id}: ${test.file} has no test named "${test.name}"`,
      );
    }
  }
});

Deno.test("every requirement is named once, and says where it comes from", () => {
  const ids = REQUIREMENTS.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  for (const { id, text, spec } of REQUIREMENTS) {
    assert.match(id, /^[a-z0-9-]+$/);
    assert.match(text, /\.$/, id);
    assert.match(spec, /^(basic|server|client)\//, id);
  }
});

Deno.test("a test that is not there is noticed", async () => {
  const file = "requirements/requirements_test.ts";
  assert.ok(
    await isDeclared({ file, name: "a test that is not there is noticed" }),
  );
  assert.ok(!await isDeclared({ file, name: "no such test" }));
  assert.ok(!await isDeclared({ file, name: "every requirement" }));
});
