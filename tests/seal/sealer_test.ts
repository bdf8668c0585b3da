import assert from "node:assert/strict";
import { mock } from "node:test";
import fc from "fast-check";
import { McpError } from "../../errors.ts";
import {
  createRequestStateCodec,
  createSealer,
  generateSealKey,
  requestBinding,
  type Sealer,
  type SealerOptions,
} from "../../seal/mod.ts";
import { fakeClock } from "./_clock.ts";
import { type Mutation, mutations, splices } from "./_mutations.ts";
import {
  base64Url,
  codecToken,
  decrypt,
  encryptedToken,
  hmac,
  readSigned,
  sealedToken,
} from "./_oracle.ts";

const KEY = "a key for tests that is 32 bytes";
const OTHER_KEY = "another key for tests: 32 bytes.";
const OLD_KEY = new Uint8Array(32).fill(9);
const BINDING = requestBinding({
  subject: "ann",
  method: "tools/call",
  target: "delete_file",
  args: { path: "/a" },
});
const OTHER_BINDING = BINDING.replace("ann", "bob");
const NOW = 1_800_000_000;

const BOTH_FORMS = [{ encrypt: false }, { encrypt: true }] as const;

/** Asserts the one refusal there is. Gives its cause, which only logs show. */
async function refusalOf(opening: Promise<unknown>): Promise<unknown> {
  let refused: unknown;
  await opening.then(
    (state) => assert.fail(`opened as ${JSON.stringify(state)}`),
    (error) => refused = error,
  );
  assert(refused instanceof McpError, `threw ${refused}`);
  assert.equal(refused.code, -32602);
  assert.equal(refused.message, "Invalid or expired requestState");
  assert.deepEqual(refused.data, { reason: "invalid_request_state" });
  return refused.cause;
}

async function assertAllRefused(
  sealer: Sealer,
  changed: Iterable<Mutation>,
): Promise<number> {
  let count = 0;
  for (const { name, token } of changed) {
    try {
      await refusalOf(sealer.open(token, BINDING));
    } catch (cause) {
      throw new Error(`Not refused: ${name}`, { cause });
    }
    count++;
  }
  return count;
}

Deno.test.each(BOTH_FORMS)(
  "open() gives back any string that was sealed, ill-formed Unicode too: %o",
  async ({ encrypt }) => {
    const sealer = createSealer({ keys: [KEY], encrypt });
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ unit: "binary" }),
          fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) =>
            String.fromCharCode(...units)
          ),
        ),
        fc.string({ unit: "binary" }),
        async (state, binding) => {
          const sealed = await sealer.seal(state, binding);
          assert.match(
            sealed,
            encrypt ? /^v1e\.[\w-]+$/ : /^v1\.[\w-]+\.[\w-]{43}$/,
          );
          assert.equal(await sealer.open(sealed, binding), state);
        },
      ),
    );
  },
);

Deno.test("seal() writes the codec's envelope with the binding in its MAC only", async () => {
  using _clock = fakeClock(NOW);
  const sealed = await createSealer({ keys: [KEY] }).seal("größer\0", BINDING);
  const { body, json, mac } = readSigned(sealed);
  assert.equal(json, `{"p":"größer\\u0000","exp":${NOW + 900}}`);
  assert.equal(mac, base64Url(hmac(KEY, `v1.${body}\0${BINDING}`)));
});

Deno.test("seal() with encrypt writes AES-256-GCM that another implementation reads", async () => {
  using _clock = fakeClock(NOW);
  const sealed = await createSealer({ keys: [KEY], encrypt: true })
    .seal("größer", BINDING);
  assert.equal(
    decrypt(KEY, sealed, BINDING),
    `{"p":"größer","exp":${NOW + 900}}`,
  );
  assert.throws(() => decrypt(KEY, sealed, OTHER_BINDING));
});

Deno.test("open() reads what earlier versions sealed", async () => {
  using _clock = fakeClock(NOW);
  const signed =
    "v1.eyJwIjoiam9iLTciLCJleHAiOjE4MDAwMDA5MDB9.vfr-rRowoOL2LrI1t-9hLto3qvxMQRfTd93zMN3CBko";
  const encrypted =
    "v1e.MR9a0pj_RxNU9GPI1OaMepv3JtKTlYTmFWNl5c5OJviqK6YVfNY7n4O5V63txSClKKoS2XgY0q9hqA";
  assert.equal(
    await createSealer({ keys: [KEY] }).open(signed, BINDING),
    "job-7",
  );
  assert.equal(
    await createSealer({ keys: [KEY], encrypt: true }).open(encrypted, BINDING),
    "job-7",
  );
});

Deno.test("seal() with encrypt shows nothing of the state and never repeats itself", async () => {
  const sealer = createSealer({ keys: [KEY], encrypt: true });
  const sealed = new Set<string>();
  for (let i = 0; i < 100; i++) {
    sealed.add(await sealer.seal("s3cret", BINDING));
  }
  assert.equal(sealed.size, 100);
  for (const token of sealed) {
    assert.ok(
      !atob(token.slice(4).replace(/-/g, "+").replace(/_/g, "/")).includes(
        "s3cret",
      ),
    );
  }
});

Deno.test.each(BOTH_FORMS)(
  "open() refuses every mutation of what was sealed, each in the same way: %o",
  async ({ encrypt }) => {
    const sealer = createSealer({ keys: [KEY], encrypt });
    const sealed = await sealer.seal("job-7: s3cret", BINDING);
    const other = await sealer.seal("job-8: s3cret", BINDING);
    const count = await assertAllRefused(sealer, mutations(sealed)) +
      await assertAllRefused(sealer, splices(sealed, other));
    assert.ok(count >= 2000, `only ${count} mutations were tried`);
    assert.equal(await sealer.open(sealed, BINDING), "job-7: s3cret");
  },
);

Deno.test.each(BOTH_FORMS)(
  "open() refuses what was sealed under another key or binding: %o",
  async ({ encrypt }) => {
    const sealer = createSealer({ keys: [KEY], encrypt });
    const sealed = await sealer.seal("job-7", BINDING);
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 32, maxLength: 80 }),
        fc.string({ unit: "binary" }),
        async (key, binding) => {
          const foreign = createSealer({ keys: [key], encrypt });
          await refusalOf(foreign.open(sealed, BINDING));
          await refusalOf(
            sealer.open(await foreign.seal("job-7", BINDING), BINDING),
          );
          await refusalOf(sealer.open(sealed, binding));
          await refusalOf(
            sealer.open(await sealer.seal("job-7", binding), BINDING),
          );
        },
      ),
    );
  },
);

Deno.test.each(BOTH_FORMS)(
  "open() refuses bindings that share a part with the right one: %o",
  async ({ encrypt }) => {
    const sealer = createSealer({ keys: [KEY], encrypt });
    const sealed = await sealer.seal("job-7", BINDING);
    for (
      const binding of [
        "",
        BINDING + " ",
        " " + BINDING,
        BINDING + "\0",
        "\0" + BINDING,
        BINDING.slice(1),
        BINDING.slice(0, -1),
        BINDING.toUpperCase(),
        BINDING + "\ud800",
      ]
    ) {
      await refusalOf(sealer.open(sealed, binding));
    }
  },
);

Deno.test("a binding cannot reach into the token, nor the token into the binding", async () => {
  const sealer = createSealer({ keys: [KEY] });
  const body = base64Url(JSON.stringify({ p: "x", exp: NOW * 2 }));
  // The MAC input of "v1.<body>" and "a\0b" could also be that of "v1.<body>\0a" and "b".
  const mac = base64Url(hmac(KEY, `v1.${body}\0a\0b`));
  assert.equal(await sealer.open(`v1.${body}.${mac}`, "a\0b"), "x");
  await refusalOf(sealer.open(`v1.${body}\0a.${mac}`, "b"));
  await refusalOf(sealer.open(`v1.${body}.${mac}`, "b"));
});

Deno.test("open() refuses another version, even if one of its keys signed it", async () => {
  const body = base64Url(JSON.stringify({ p: "x", exp: NOW * 2 }));
  const sealer = createSealer({ keys: [KEY] });
  for (const prefix of ["v2.", "v0.", "", "v1"]) {
    const mac = base64Url(hmac(KEY, `${prefix}${body}\0${BINDING}`));
    await refusalOf(sealer.open(`${prefix}${body}.${mac}`, BINDING));
  }
});

Deno.test("sealer and codec refuse each other's tokens under the same key", async () => {
  const sealer = createSealer({ keys: [KEY] });
  for (const binding of ["", BINDING]) {
    const codec = createRequestStateCodec({ key: KEY, bind: () => binding });
    const unbound = createRequestStateCodec({ key: KEY });
    const sealed = await sealer.seal("job-7", binding);
    await assert.rejects(codec.verify(sealed, {}), /^Error: mac$/);
    await assert.rejects(unbound.verify(sealed), /^Error: mac$/);
    await refusalOf(sealer.open(await codec.mint("job-7", {}), binding));
    await refusalOf(sealer.open(await unbound.mint("job-7"), binding));
  }
});

Deno.test("a sealer opens only the form that it seals", async () => {
  const signing = createSealer({ keys: [KEY] });
  const encrypting = createSealer({ keys: [KEY], encrypt: true });
  await refusalOf(
    signing.open(await encrypting.seal("job-7", BINDING), BINDING),
  );
  await refusalOf(
    encrypting.open(await signing.seal("job-7", BINDING), BINDING),
  );
});

Deno.test("open() refuses whatever is not a string", async () => {
  for (const { encrypt } of BOTH_FORMS) {
    const sealer = createSealer({ keys: [KEY], encrypt });
    const sealed = await sealer.seal("job-7", BINDING);
    for (
      const value of [
        undefined,
        null,
        0,
        NaN,
        1n,
        true,
        {},
        [],
        [sealed],
        Object(sealed),
        Symbol(sealed),
        () => sealed,
        new TextEncoder().encode(sealed),
        { length: 9, toString: () => sealed },
      ]
    ) {
      assert.equal(await refusalOf(sealer.open(value, BINDING)), "malformed");
    }
  }
});

Deno.test("open() refuses garbage of any kind", async () => {
  const sealers = BOTH_FORMS.map(({ encrypt }) =>
    createSealer({ keys: [KEY], encrypt })
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("", "v1.", "v1e.", "v1..", "v1.A.", "v1e.AAAA"),
      fc.oneof(
        fc.string({ unit: "binary" }),
        fc.base64String({ maxLength: 400 }),
        fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) =>
          String.fromCharCode(...units)
        ),
      ),
      async (prefix, rest) => {
        for (const sealer of sealers) {
          await refusalOf(sealer.open(prefix + rest, BINDING));
        }
      },
    ),
    { numRuns: 500 },
  );
});

Deno.test("open() refuses garbage that one of its keys sealed", async (t) => {
  const exp = NOW * 2;
  const contents: [string, string | Uint8Array][] = [
    ["nothing", ""],
    ["no JSON", "{"],
    ["no UTF-8", new Uint8Array([0xff, 0xfe])],
    ["half a character", new Uint8Array([0x22, 0xc3, 0x22])],
    ["null", "null"],
    ["a number", "1"],
    ["a string", '"p"'],
    ["an array", '["p"]'],
    ["no payload", `{"exp":${exp}}`],
    ["a payload that is not a string", `{"p":{"a":1},"exp":${exp}}`],
    ["no expiry", '{"p":"x"}'],
    ["an expiry as text", `{"p":"x","exp":"${exp}"}`],
    ["an expiry of null", '{"p":"x","exp":null}'],
    ["an expiry of minus infinity", '{"p":"x","exp":-1e999}'],
  ];
  for (const [name, content] of contents) {
    await t.step(name, async () => {
      await refusalOf(
        createSealer({ keys: [KEY] })
          .open(sealedToken(KEY, base64Url(content), BINDING), BINDING),
      );
      await refusalOf(
        createSealer({ keys: [KEY], encrypt: true })
          .open(encryptedToken(KEY, content, BINDING), BINDING),
      );
    });
  }
  await t.step("other spellings of a good body", async () => {
    const sealer = createSealer({ keys: [KEY] });
    const body = base64Url(JSON.stringify({ p: "x", exp }));
    assert.equal(
      await sealer.open(sealedToken(KEY, body, BINDING), BINDING),
      "x",
    );
    const padded = body + "=".repeat((4 - body.length % 4) % 4);
    for (
      const spelling of [`${padded}=`, ` ${body}`, `${body}\n`, `${body}.`]
    ) {
      await refusalOf(
        sealer.open(sealedToken(KEY, spelling, BINDING), BINDING),
      );
    }
  });
  await t.step("a good body without its binding", async () => {
    const body = base64Url(JSON.stringify({ p: "x", exp }));
    await refusalOf(
      createSealer({ keys: [KEY] }).open(codecToken(KEY, body), ""),
    );
  });
});

Deno.test.each(BOTH_FORMS)(
  "open() accepts up to the last second of the lifetime and no further: %o",
  async ({ encrypt }) => {
    using clock = fakeClock(NOW + 0.9);
    for (const ttlSeconds of [900, 30, 1]) {
      clock.set(NOW + 0.9);
      const sealer = createSealer(
        ttlSeconds === 900
          ? { keys: [KEY], encrypt }
          : { keys: [KEY], encrypt, ttlSeconds },
      );
      const sealed = await sealer.seal("job-7", BINDING);
      for (const elapsed of [0, ttlSeconds - 1, ttlSeconds + 0.999]) {
        clock.set(NOW + elapsed);
        assert.equal(await sealer.open(sealed, BINDING), "job-7");
      }
      clock.set(NOW + ttlSeconds + 1);
      assert.equal(await refusalOf(sealer.open(sealed, BINDING)), "expired");
    }
  },
);

Deno.test("sealing anew in each round starts a new lifetime", async () => {
  using clock = fakeClock(NOW);
  const sealer = createSealer({ keys: [KEY], ttlSeconds: 60 });
  const first = await sealer.seal("0", BINDING);
  let sealed = first;
  for (let round = 1; round <= 5; round++) {
    clock.set(NOW + round * 50);
    const state = await sealer.open(sealed, BINDING);
    assert.equal(state, String(round - 1));
    sealed = await sealer.seal(String(round), BINDING);
  }
  await refusalOf(sealer.open(first, BINDING));
});

Deno.test.each(BOTH_FORMS)(
  "keys are rotated without losing what is under way: %o",
  async ({ encrypt }) => {
    const before = createSealer({ keys: [OLD_KEY], encrypt });
    const during = createSealer({ keys: [KEY, OLD_KEY], encrypt });
    const after = createSealer({ keys: [KEY], encrypt });
    const old = await before.seal("old", BINDING);
    assert.equal(await during.open(old, BINDING), "old");
    await refusalOf(during.open(old, OTHER_BINDING));
    await refusalOf(after.open(old, BINDING));

    const fresh = await during.seal("fresh", BINDING);
    assert.equal(await after.open(fresh, BINDING), "fresh");
    await refusalOf(before.open(fresh, BINDING));
  },
);

const SPIED = [
  "sign",
  "verify",
  "encrypt",
  "decrypt",
  "digest",
  "importKey",
  "deriveKey",
] as const;

/** Counts the Web Crypto operations of one round, once its keys are there. */
async function operationsOfARound(encrypt: boolean): Promise<number[]> {
  const sealer = createSealer({ keys: [KEY, OLD_KEY], encrypt });
  await sealer.open(await sealer.seal("warm", BINDING), BINDING);
  const spies = SPIED.map((name) => mock.method(crypto.subtle, name));
  try {
    await sealer.open(await sealer.seal("job-7", BINDING), BINDING);
    return spies.map((spy) => spy.mock.callCount());
  } finally {
    for (const spy of spies) spy.mock.restore();
  }
}

Deno.test("a round under the first key takes at most two Web Crypto operations", async () => {
  assert.deepEqual(await operationsOfARound(false), [0, 0, 0, 0, 0, 0, 0]);
  assert.deepEqual(await operationsOfARound(true), [0, 0, 1, 1, 0, 0, 0]);
});

Deno.test("signed state carries the MAC that Web Crypto computes", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "grapheme" }), async (state) => {
      const sealed = await createSealer({ keys: [KEY] }).seal(state, BINDING);
      const dot = sealed.lastIndexOf(".");
      const key = await crypto.subtle.importKey(
        "raw",
        typeof KEY === "string" ? new TextEncoder().encode(KEY) : KEY,
        { name: "HMAC", hash: "SHA-256" },
        false,
        ["verify"],
      );
      const mac = Uint8Array.fromBase64(sealed.slice(dot + 1), {
        alphabet: "base64url",
      });
      const signed = `${sealed.slice(0, dot)}\0${BINDING}`;
      const data = new TextEncoder().encode(signed);
      assert.ok(await crypto.subtle.verify("HMAC", key, mac, data));
    }),
    { numRuns: 50 },
  );
});

Deno.test("a sealer works for many calls at once from its first one on", async () => {
  for (const { encrypt } of BOTH_FORMS) {
    const sealer = createSealer({ keys: [KEY], encrypt });
    const states = Array.from({ length: 100 }, (_, i) => `job-${i}`);
    const opened = await Promise.all(
      states.map(async (state) =>
        sealer.open(await sealer.seal(state, state), state)
      ),
    );
    assert.deepEqual(opened, states);
  }
});

Deno.test("seal() and open() agree on how long sealed state may be", async () => {
  for (const { encrypt } of BOTH_FORMS) {
    const sealer = createSealer({ keys: [KEY], encrypt });
    let longest = 190_000;
    let sealed = "";
    for (let step = 8192; step >= 1; step /= 2) {
      const attempt = await sealer.seal("x".repeat(longest + step), BINDING)
        .catch((error) => {
          assert.equal(error.constructor, RangeError);
          assert.match(error.message, /\d characters, want at most 262144$/);
        });
      if (attempt === undefined) continue;
      longest += step;
      sealed = attempt;
    }
    assert.ok(
      sealed.length > 262_140 && sealed.length <= 262_144,
      `${sealed.length}`,
    );
    assert.equal((await sealer.open(sealed, BINDING)).length, longest);
  }
});

Deno.test("open() refuses text over the limit, even if one of its keys sealed it", async () => {
  const body = base64Url(
    JSON.stringify({ p: "x".repeat(200_000), exp: NOW * 2 }),
  );
  const token = sealedToken(KEY, body, BINDING);
  const sealer = createSealer({ keys: [KEY] });
  assert.equal(await refusalOf(sealer.open(token, BINDING)), "malformed");
});

Deno.test("seal() refuses what it could not give back", async () => {
  const sealer = createSealer({ keys: [KEY] });
  for (const state of [undefined, null, 1, {}, ["x"]]) {
    await assert.rejects(
      Reflect.apply(sealer.seal, sealer, [state, BINDING]),
      { name: "TypeError", message: /want a string/ },
    );
  }
  for (const binding of [undefined, 1, "\udc00"]) {
    await assert.rejects(
      Reflect.apply(sealer.seal, sealer, ["job-7", binding]),
      { name: "TypeError", message: /binding/ },
    );
  }
});

Deno.test("a sealer keeps its own copy of its keys", async () => {
  const key = generateSealKey();
  const bytes = new TextEncoder().encode(key);
  const keys: (string | Uint8Array)[] = [bytes];
  const sealer = createSealer({ keys });
  keys[0] = OLD_KEY;
  bytes.fill(0);
  const sealed = await sealer.seal("kept", BINDING);
  assert.equal(
    await createSealer({ keys: [key] }).open(sealed, BINDING),
    "kept",
  );
});

Deno.test("createSealer() refuses to start with options that cannot work, and shows no key", async (t) => {
  const short = "S3CRET short key";
  const wrong: [string, unknown, ErrorConstructor, RegExp][] = [
    ["no keys", {}, TypeError, /keys.*"undefined".*array/],
    ["keys of null", { keys: null }, TypeError, /keys.*array/],
    [
      "one key instead of a list",
      { keys: KEY },
      TypeError,
      /keys.*"string".*array/,
    ],
    ["an empty list", { keys: [] }, RangeError, /no key.*1 or more/],
    ["a short key", { keys: [short] }, RangeError, /key 1 of 1.*16 bytes.*32/],
    [
      "a short key behind",
      { keys: [KEY, OTHER_KEY, short] },
      RangeError,
      /key 3 of 3.*16 bytes/,
    ],
    ["an empty key", { keys: [KEY, ""] }, RangeError, /key 2 of 2.*0 bytes/],
    [
      "31 bytes",
      { keys: [new Uint8Array(31)] },
      RangeError,
      /key 1 of 1.*31 bytes/,
    ],
    [
      "a hole",
      { keys: [KEY, , OTHER_KEY] },
      TypeError,
      /key 2 of 3.*undefined/,
    ],
    ["a number", { keys: [KEY, 1e40] }, TypeError, /key 2 of 2.*number/],
    [
      "a buffer",
      { keys: [new ArrayBuffer(32)] },
      TypeError,
      /key 1 of 1.*object/,
    ],
    [
      "ill-formed text",
      { keys: ["\ud800".repeat(32)] },
      TypeError,
      /key 1 of 1.*Unicode/,
    ],
    [
      "a key twice",
      { keys: [KEY, OTHER_KEY, KEY] },
      RangeError,
      /key 3 of 3.*key 1/,
    ],
    [
      "a key twice, as bytes",
      { keys: [KEY, new TextEncoder().encode(KEY)] },
      RangeError,
      /key 2 of 2.*key 1/,
    ],
    ...[0, -1, NaN, Infinity, -Infinity, "60", null].map((
      ttlSeconds,
    ): [string, unknown, ErrorConstructor, RegExp] => [
      `ttlSeconds ${ttlSeconds}`,
      { keys: [KEY], ttlSeconds },
      RangeError,
      new RegExp(`ttlSeconds is ${ttlSeconds}, want a finite number`),
    ]),
  ];
  for (const [name, options, type, message] of wrong) {
    await t.step(name, () => {
      assert.throws(() => createSealer(options as SealerOptions), (error) => {
        assert(error instanceof type, `${error}`);
        assert.match(error.message, message);
        for (const secret of [KEY, OTHER_KEY, short]) {
          assert.ok(!error.message.includes(secret));
        }
        return true;
      });
    });
  }
});
