import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(
  new URL("./programs/first_question.ts", import.meta.url),
);

/** The answer to the first call of a process. */
async function firstAnswer(
  way: string,
): Promise<{ asked: string[]; text?: string }> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "-A", PROGRAM, way],
    stdout: "piped",
    stderr: "piped",
  }).output();
  const decoder = new TextDecoder();
  assert.equal(code, 0, decoder.decode(stderr));
  return JSON.parse(decoder.decode(stdout));
}

const FORM = "elicitation/create";

const ASKED: readonly [way: string, asked: readonly string[]][] = [
  ["one", [`a ${FORM}`]],
  ["sideBySide", [`a ${FORM}`, `b ${FORM}`, `c ${FORM}`, "d roots/list"]],
  ["notAwaited", [`a ${FORM}`]],
  ["swallowed", [`a ${FORM}`]],
  ["thrownBehind", [`a ${FORM}`]],
  ["requested", ["a roots/list"]],
  ["askedAndRequested", [`a ${FORM}`, "b roots/list"]],
  // The second is refused, for the first was there before it.
  ["keyTwice", [`a ${FORM}`]],
];

for (const [way, asked] of ASKED) {
  Deno.test(`the first question of a process is put: ${way}`, async () => {
    assert.deepEqual(await firstAnswer(way), { asked });
  });
}

Deno.test("the first question of a process is refused where it is none", async () => {
  const { asked, text } = await firstAnswer("noQuestion");
  assert.deepEqual(asked, []);
  assert.match(text ?? "", /are reserved/);
});

Deno.test("the first call of a process may be a retry", async () => {
  assert.deepEqual(await firstAnswer("answered"), {
    asked: [],
    text: "true b",
  });
});
