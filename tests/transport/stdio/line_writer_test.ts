import assert from "node:assert/strict";
import { LineWriter } from "../../../transport/stdio/lines.ts";

/** A reader at the other end that takes its time, and remembers. */
function slowReader(ms = 1) {
  const chunks: string[] = [];
  const decoder = new TextDecoder();
  const writable = new WritableStream<Uint8Array>({
    async write(chunk) {
      await new Promise((resolve) => setTimeout(resolve, ms));
      chunks.push(decoder.decode(chunk));
    },
  });
  return { chunks, writable };
}

function noBreak(): void {
  assert.fail("The writer is said to be broken");
}

Deno.test("lines come out whole, in order, and those of one turn together", async () => {
  const { chunks, writable } = slowReader();
  const writer = new LineWriter(writable, noBreak);
  writer.write("1");
  writer.write("2");
  await Promise.resolve();
  writer.write("3");
  await writer.drained();
  assert.equal(chunks.join(""), "1\n2\n3\n");
  assert.equal(chunks[0], "1\n2\n");
  writer.release();
});

Deno.test("a slow reader fills the writer, and room is told of", async () => {
  const { chunks, writable } = slowReader();
  const writer = new LineWriter(writable, noBreak);
  const line = "x".repeat(300_000);
  assert.equal(writer.full, false);
  for (let n = 0; n < 4; n++) writer.write(line);
  assert.equal(writer.full, true);
  await writer.ready();
  assert.equal(writer.full, false);
  await writer.drained();
  assert.equal(chunks.join("").length, 4 * 300_001);
  writer.release();
});

Deno.test("what may be left out is, when too much waits; what may not is written", async () => {
  const { chunks, writable } = slowReader();
  const writer = new LineWriter(writable, noBreak);
  const line = "x".repeat(1024 * 1024);
  // Answers that wait keep nothing else from waiting.
  for (let n = 0; n < 6; n++) writer.write(line);
  let taken = 0;
  while (writer.offer(line)) taken++;
  assert.ok(taken > 2 && taken < 10);
  writer.write("answer");
  await writer.drained();
  assert.equal(writer.offer("again"), true);
  await writer.drained();
  assert.ok(chunks.join("").endsWith("x\nanswer\nagain\n"));
  writer.release();
});

Deno.test("a broken pipe is told of once, and nothing more is written or waited for", async () => {
  let broken = 0;
  const pipe = new WritableStream<Uint8Array>({
    write() {
      throw new Deno.errors.BrokenPipe("gone");
    },
  });
  const writer = new LineWriter(pipe, () => broken++);
  for (let n = 0; n < 3; n++) writer.write("x".repeat(1024 * 1024));
  await writer.ready();
  await writer.drained();
  assert.equal(writer.broken, true);
  assert.equal(writer.offer("late"), false);
  writer.write("late");
  await writer.drained();
  assert.equal(broken, 1);
  writer.release();
});

Deno.test("letting go leaves the stream open, and is no break", async () => {
  const { chunks, writable } = slowReader();
  const first = new LineWriter(writable, noBreak);
  first.write("first");
  await first.drained();
  first.release();
  const second = new LineWriter(writable, noBreak);
  second.write("second");
  await second.drained();
  second.release();
  await writable.close();
  assert.equal(chunks.join(""), "first\nsecond\n");
});
