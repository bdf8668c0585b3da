import assert from "node:assert/strict";
import { KeyRing } from "../../seal/key_ring.ts";
import { createTokenCodec } from "../../seal/_token_codec.ts";
import { createRequestStateCodec, createSealer } from "../../seal/mod.ts";
import { createTenantState, memoryState } from "../../state/mod.ts";
import { countPromises } from "./_promises.ts";

Deno.test("state that was there before its parts were loaded costs no promise more", async () => {
  const early = createTenantState(memoryState(), "acme");
  await early.set("k", 1);
  const later = createTenantState(memoryState(), "acme");
  await later.set("k", 1);
  const operations = [
    () => early.get("k"),
    () => later.get("k"),
    () => early.set("k", 2),
    () => later.set("k", 2),
    () => early.take("k"),
    () => later.take("k"),
  ];
  const made: number[] = [];
  for (const operation of operations) {
    made.push((await countPromises(operation)).made);
  }
  const [earlyGet, laterGet, earlySet, laterSet, earlyTake, laterTake] = made;
  assert.deepEqual(
    [earlyGet, earlySet, earlyTake],
    [laterGet, laterSet, laterTake],
  );
});

const KEY = new Uint8Array(32).fill(7);

Deno.test("signed state is sealed and opened at once, with no promise but the one a sealer gives", async () => {
  const sealer = createSealer({ keys: [KEY] });
  const ring = new KeyRing({ keys: [KEY], ttlSeconds: 900, encrypt: false });
  const sealed = await sealer.seal("job-7", "call");
  assert.equal(ring.open(sealed, "call"), "job-7");
  // deno-lint-ignore require-await -- makes the one promise of an async function
  const one = await countPromises(async () => sealed);
  const seal = await countPromises(() => sealer.seal("job-7", "call"));
  const open = await countPromises(() => sealer.open(sealed, "call"));
  assert.deepEqual([seal.made, open.made], [one.made, one.made]);
});

Deno.test("a codec costs no promise more than what it loads", async () => {
  const whole = createRequestStateCodec({ key: KEY });
  const part = createTokenCodec(KEY, { ttlSeconds: 600, bind: undefined });
  const token = await whole.mint("job-7");
  assert.equal(await part.verify(token), "job-7");
  for (
    const operation of [
      (codec: typeof part) => codec.mint("job-7"),
      (codec: typeof part) => codec.verify(token),
    ]
  ) {
    const { made } = await countPromises(() => operation(whole));
    const { made: wanted } = await countPromises(() => operation(part));
    assert.equal(made, wanted);
  }
});
