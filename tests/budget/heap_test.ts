import assert from "node:assert/strict";

const PROGRAM = new URL("_heap_program.ts", import.meta.url);

/** What 10,000 entries of a Map take at the very least is four times that. */
const BOUND = 100 * 1024;

Deno.test("10,000 calls of either era leave nothing behind on the heap", async () => {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      "--quiet",
      "--v8-flags=--expose-gc",
      Deno.realPathSync(PROGRAM),
    ],
    stdin: "null",
  }).output();
  assert.equal(code, 0, new TextDecoder().decode(stderr));
  const growth = JSON.parse(new TextDecoder().decode(stdout)) as Record<
    string,
    number
  >;
  for (const era of ["modern", "legacy"]) {
    const bytes = growth[era]!;
    assert.ok(
      bytes < BOUND,
      `${era}: ${bytes} bytes more, wanted less than ${BOUND}`,
    );
  }
});
