import assert from "node:assert/strict";
import { EventStream, KeepAlive } from "../../transport/sse.ts";

const QUIET = new KeepAlive(0);

Deno.test("messages are events of their own, with an id where they have one", async () => {
  const stream = new EventStream({ keepAlive: QUIET });
  stream.raw("retry: 10\n\n");
  assert.equal(stream.send('{"a":1}'), true);
  stream.send('{"b":2}', "7");
  stream.keepAlive();
  stream.end('{"c":3}', "8");
  assert.equal(stream.open, false);
  assert.equal(
    await new Response(stream.body).text(),
    'retry: 10\n\ndata: {"a":1}\n\nid: 7\ndata: {"b":2}\n\n: keep-alive\n\nid: 8\ndata: {"c":3}\n\n',
  );
});

Deno.test("after the end nothing is taken, and no call fails", () => {
  const stream = new EventStream({ keepAlive: QUIET });
  stream.close();
  stream.close();
  stream.end("{}");
  stream.abort("late");
  stream.keepAlive();
  assert.equal(stream.send("{}"), false);
  assert.equal(stream.raw(": x\n\n"), false);
});

Deno.test("a reader that does not read holds some megabytes, and still gets the last message", async () => {
  const stream = new EventStream({ keepAlive: QUIET });
  const message = JSON.stringify("x".repeat(100_000));
  let taken = 0;
  while (stream.send(message)) taken++;
  assert.ok(taken > 10 && taken < 100);
  stream.end('"last"');
  const text = await new Response(stream.body).text();
  assert.equal(text.split("\n\n").length, taken + 2);
  assert.ok(text.endsWith('data: "last"\n\n'));
});

Deno.test("a reader that leaves is told of once, and one that was let go is not", async () => {
  let gone = 0;
  const onGone = () => void gone++;
  const left = new EventStream({ keepAlive: QUIET, onGone });
  left.send("{}");
  await left.body.cancel();
  assert.equal(gone, 1);
  assert.equal(left.open, false);
  assert.equal(left.send("{}"), false);
  const aborted = new EventStream({ keepAlive: QUIET, onGone });
  aborted.send("{}");
  aborted.abort("too slow");
  await assert.rejects(new Response(aborted.body).text());
  const closed = new EventStream({ keepAlive: QUIET, onGone });
  closed.close();
  assert.equal(await new Response(closed.body).text(), "");
  assert.equal(gone, 1);
});

Deno.test("one timer keeps all streams alive, and ends with the last of them", async () => {
  const keepAlive = new KeepAlive(2);
  const streams = [1, 2, 3].map(() => new EventStream({ keepAlive }));
  const texts = streams.map(({ body }) => new Response(body).text());
  await new Promise((resolve) => setTimeout(resolve, 20));
  for (const stream of streams) stream.close();
  // Had the timer been left behind, the test would fail for it.
  for (const text of await Promise.all(texts)) {
    assert.match(text, /^(: keep-alive\n\n)+$/);
  }
});
