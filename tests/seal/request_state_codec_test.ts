import assert from "node:assert/strict";
import {
  createRequestStateCodec as createSdkCodec,
  type ServerContext,
  type ServerOptions,
} from "@modelcontextprotocol/server";
import fc from "fast-check";
import { createRequestStateCodec } from "../../seal/mod.ts";
import { fakeClock } from "./_clock.ts";
import { mutations, splices } from "./_mutations.ts";
import { base64Url, codecToken, hmac, readSigned } from "./_oracle.ts";

const KEY = "a key for tests that is 32 bytes";
const OTHER_KEY = "another key for tests: 32 bytes.";
const NOW = 1_800_000_000;

/** What both codecs are handed as a context; neither looks into it. */
interface Caller {
  readonly name: string;
}

const bindToName = ({ name }: Caller): string => name;

function sdkCodec(bound: boolean): ReturnType<typeof createSdkCodec> {
  const bind = (ctx: ServerContext): string =>
    bindToName(ctx as unknown as Caller);
  return createSdkCodec(bound ? { key: KEY, bind } : { key: KEY });
}

function asSdkContext(caller: Caller): ServerContext {
  return caller as unknown as ServerContext;
}

const anyCaller = fc.record({ name: fc.string({ unit: "binary" }) });
const anyPayload = fc.oneof(
  fc.jsonValue(),
  fc.string({ unit: "binary" }),
  fc.constant("\ud800 alone"),
  fc.constant(JSON.parse('{"__proto__":{"a":1},"exp":1,"b":"x"}')),
  fc.constant(undefined),
);

/** What is left of a payload once it has been JSON. */
function asJson(payload: unknown): unknown {
  return payload === undefined ? payload : JSON.parse(JSON.stringify(payload));
}

function reasonOf(verification: Promise<unknown>): Promise<string> {
  return verification.then(
    (payload) => `accepted ${JSON.stringify(payload)}`,
    (error) => {
      assert.equal(error.constructor, Error);
      return error.message;
    },
  );
}

// RFC 4231 section 4, test cases 1, 2, 4, 6 and 7.
Deno.test.each([
  [
    "0b".repeat(20),
    "4869205468657265",
    "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
  ],
  [
    "4a656665",
    "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
    "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
  ],
  [
    "0102030405060708090a0b0c0d0e0f10111213141516171819",
    "cd".repeat(50),
    "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b",
  ],
  [
    "aa".repeat(131),
    "54657374205573696e67204c6172676572205468616e20426c6f636b2d53697a65204b6579202d2048617368204b6579204669727374",
    "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
  ],
])(
  "the HMAC that tokens are compared with agrees with RFC 4231",
  (key, data, mac) => {
    const text = String.fromCharCode(...Uint8Array.fromHex(data));
    // Bytes of 0x80 and more would change on their way through UTF-8.
    const input = Uint8Array.fromHex(data).some((byte) => byte > 0x7f)
      ? Uint8Array.fromHex(data)
      : text;
    assert.equal(hmac(Uint8Array.fromHex(key), input).toString("hex"), mac);
  },
);

Deno.test("createRequestStateCodec() signs with HMAC-SHA256, under keys longer than a block too", async () => {
  for (const key of [KEY, new Uint8Array(131).fill(0xaa)]) {
    const token = await createRequestStateCodec({ key }).mint({ step: 1 });
    const { body, mac } = readSigned(token);
    assert.equal(mac, base64Url(hmac(key, `v1.${body}`)));
  }
});

Deno.test("createRequestStateCodec() mints the same bytes from one version to the next", async () => {
  using _clock = fakeClock(NOW);
  const codec = createRequestStateCodec({ key: KEY, bind: bindToName });
  assert.equal(
    await codec.mint({ step: "größer" }, { name: "ann" }),
    "v1.eyJwIjp7InN0ZXAiOiJncsO2w59lciJ9LCJleHAiOjE4MDAwMDA2MDAsImIiOiJEcEVOZjBmVzBSZl9teE1UY280NmVRIn0.fsVzBHdsci6FmSsg2AVT_HbtgvtH_swlZPDc2aCd3b8",
  );
});

Deno.test("verify() gives back any payload, and the SDK's codec gives the same", async () => {
  await fc.assert(
    fc.asyncProperty(
      anyPayload,
      anyCaller,
      fc.boolean(),
      async (payload, caller, bound) => {
        const ours = createRequestStateCodec({
          key: KEY,
          ...(bound && { bind: bindToName }),
        });
        const token = await ours.mint(payload, caller);
        const expected = asJson(payload);
        assert.deepEqual(await ours.verify(token, caller), expected);
        assert.deepEqual(
          await sdkCodec(bound).verify(token, asSdkContext(caller)),
          expected,
        );
      },
    ),
  );
});

Deno.test("verify() accepts every token of the SDK's codec", async () => {
  await fc.assert(
    fc.asyncProperty(
      anyPayload,
      anyCaller,
      fc.boolean(),
      async (payload, caller, bound) => {
        const ours = createRequestStateCodec({
          key: new TextEncoder().encode(KEY),
          ...(bound && { bind: bindToName }),
        });
        const token = await sdkCodec(bound).mint(payload, asSdkContext(caller));
        assert.deepEqual(await ours.verify(token, caller), asJson(payload));
      },
    ),
  );
});

Deno.test("mint() writes the very token that the SDK's codec writes at that time", async () => {
  using _clock = fakeClock(NOW);
  await fc.assert(
    fc.asyncProperty(anyPayload, anyCaller, async (payload, caller) => {
      const ours = createRequestStateCodec({ key: KEY, bind: bindToName });
      assert.equal(
        await ours.mint(payload, caller),
        await sdkCodec(true).mint(payload, asSdkContext(caller)),
      );
    }),
  );
});

Deno.test("verify() refuses for the reason that the SDK's codec gives", async (t) => {
  using clock = fakeClock(NOW);
  const ann = { name: "ann" };
  const bob = { name: "bob" };
  const bound = {
    ours: createRequestStateCodec({ key: KEY, bind: bindToName }),
    sdk: sdkCodec(true),
  };
  const open = {
    ours: createRequestStateCodec({ key: KEY }),
    sdk: sdkCodec(false),
  };
  const boundToken = await bound.ours.mint({ step: 1 }, ann);
  const openToken = await open.ours.mint({ step: 1 });
  const exp = NOW + 600;
  const signed = (json: string): string => codecToken(KEY, base64Url(json));
  const cases: [string, typeof bound | typeof open, unknown, Caller, string][] =
    [
      ["an empty string", open, "", ann, "malformed"],
      ["a prefix alone", open, "v1.", ann, "malformed"],
      ["no body", open, "v1..AAAA", ann, "malformed"],
      ["no MAC", open, "v1.AAAA", ann, "malformed"],
      ["an empty MAC", open, "v1.AAAA.", ann, "mac"],
      ["a short MAC", open, openToken.slice(0, -3), ann, "mac"],
      ["JSON", open, '{"step":1}', ann, "malformed"],
      ["another prefix", open, openToken.replace("v1", "v2"), ann, "malformed"],
      [
        "a character outside Latin-1 in the MAC",
        open,
        `${openToken}é`,
        ann,
        "malformed",
      ],
      ["another body", open, openToken.replace("v1.e", "v1.f"), ann, "mac"],
      [
        "another key",
        open,
        codecToken(OTHER_KEY, readSigned(openToken).body),
        ann,
        "mac",
      ],
      ["another caller", bound, boundToken, bob, "bind"],
      ["a bound token where none is", open, boundToken, ann, "bind"],
      ["an unbound token where all are", bound, openToken, ann, "bind"],
      ["signed text that is not JSON", open, signed("{"), ann, "malformed"],
      [
        "signed bytes that are not UTF-8",
        open,
        codecToken(KEY, base64Url(new Uint8Array([0x22, 0xff, 0x22]))),
        ann,
        "malformed",
      ],
      ["a signed number", open, signed("1"), ann, "expired"],
      ["a signed array", open, signed("[]"), ann, "expired"],
      ["no expiry", open, signed('{"p":1}'), ann, "expired"],
      ["an expiry of null", open, signed('{"p":1,"exp":null}'), ann, "expired"],
      [
        "a bind tag of the wrong length",
        bound,
        signed(`{"p":1,"exp":${exp},"b":"AA"}`),
        ann,
        "bind",
      ],
      [
        "a bind tag that is not a string",
        bound,
        signed(`{"p":1,"exp":${exp},"b":7}`),
        ann,
        "bind",
      ],
    ];
  for (const [name, { ours, sdk }, token, caller, reason] of cases) {
    await t.step(name, async () => {
      assert.equal(await reasonOf(ours.verify(token, caller)), reason);
      assert.equal(
        await reasonOf(sdk.verify(token as string, asSdkContext(caller))),
        reason,
      );
    });
  }
  await t.step("an expired token", async () => {
    clock.set(exp + 1);
    assert.equal(await reasonOf(open.ours.verify(openToken)), "expired");
    assert.equal(await reasonOf(bound.ours.verify(boundToken, bob)), "expired");
    assert.equal(
      await reasonOf(open.sdk.verify(openToken, asSdkContext(ann))),
      "expired",
    );
  });
});

Deno.test("verify() refuses other spellings of the same bytes as malformed", async (t) => {
  const codec = createRequestStateCodec({ key: KEY });
  // 1 byte over a multiple of 3, so that both segments end in unused bits.
  const body = base64Url(JSON.stringify({ p: "?>?>", exp: NOW * 2, x: "1" }));
  assert.equal(body.length % 4, 2);
  const token = codecToken(KEY, body);
  const { mac } = readSigned(token);
  assert.equal(await codec.verify(token), "?>?>");

  const nextLast = (text: string): string =>
    text.slice(0, -1) +
    String.fromCharCode(text.charCodeAt(text.length - 1) + 1);
  const spellings: [string, string][] = [
    ["MAC with padding", `v1.${body}.${mac}=`],
    ["MAC with a trailing bit set", `v1.${body}.${nextLast(mac)}`],
    ["MAC with white space", `v1.${body}.${mac} `],
    ["body with padding", `v1.${body}==.${mac}`],
    ["body with a trailing bit set", `v1.${nextLast(body)}.${mac}`],
    ["signed body with padding", codecToken(KEY, `${body}==`)],
    ["signed body with a trailing bit set", codecToken(KEY, nextLast(body))],
    ["signed body with white space", codecToken(KEY, ` ${body}`)],
    [
      "signed body in the standard alphabet",
      codecToken(KEY, `${body.slice(0, -2)}+A`),
    ],
    ["signed body with a segment more", codecToken(KEY, `${body}.AAAA`)],
  ];
  for (const [name, spelling] of spellings) {
    await t.step(name, async () => {
      assert.equal(await reasonOf(codec.verify(spelling)), "malformed");
    });
  }
});

Deno.test("verify() refuses what is not a string as malformed", async () => {
  const codec = createRequestStateCodec({ key: KEY });
  const token = await codec.mint(1);
  for (
    const state of [
      undefined,
      null,
      0,
      NaN,
      true,
      {},
      [],
      [token],
      Object(token),
      Symbol("v1."),
      1n,
      () => token,
      { toString: () => token, startsWith: () => true, lastIndexOf: () => 9 },
    ]
  ) {
    assert.equal(await reasonOf(codec.verify(state)), "malformed");
  }
});

Deno.test("verify() refuses every mutation of a token, with nothing but a reason", async () => {
  const codec = createRequestStateCodec({ key: KEY, bind: bindToName });
  const ann = { name: "ann" };
  const token = await codec.mint({ secret: "s3cret", n: [1] }, ann);
  const other = await codec.mint({ secret: "another", n: [1] }, ann);
  let count = 0;
  for (
    const { name, token: mutated } of [
      ...mutations(token),
      ...splices(token, other),
    ]
  ) {
    const reason = await reasonOf(codec.verify(mutated, ann));
    assert.match(reason, /^(malformed|mac)$/, name);
    count++;
  }
  assert.ok(count >= 2000, `only ${count} mutations were tried`);
  assert.deepEqual(await codec.verify(token, ann), {
    secret: "s3cret",
    n: [1],
  });
});

Deno.test("verify() accepts up to the last second of the lifetime and no further", async (t) => {
  for (const [ttlSeconds, lifetime] of [[undefined, 600], [60, 60], [1, 1]]) {
    await t.step(`ttlSeconds ${ttlSeconds}`, async () => {
      using clock = fakeClock(NOW + 0.9);
      const codec = createRequestStateCodec({
        key: KEY,
        ...(ttlSeconds !== undefined && { ttlSeconds }),
      });
      const token = await codec.mint("here");
      const sdk = createSdkCodec({ key: KEY });
      const nobody = asSdkContext({ name: "" });
      assert(lifetime);
      clock.set(NOW + lifetime - 1);
      assert.equal(await codec.verify(token), "here");
      clock.set(NOW + lifetime + 0.999);
      assert.equal(await codec.verify(token), "here");
      assert.equal(await sdk.verify(token, nobody), "here");
      clock.set(NOW + lifetime + 1);
      assert.equal(await reasonOf(codec.verify(token)), "expired");
      assert.equal(await reasonOf(sdk.verify(token, nobody)), "expired");
    });
  }
});

Deno.test("mint() leaves nothing of the binding to read", async () => {
  const codec = createRequestStateCodec({ key: KEY, bind: bindToName });
  const token = await codec.mint({}, { name: "ann@example.com" });
  const { json } = readSigned(token);
  assert.match(json, /"b":"[\w-]{22}"/);
  assert.ok(!json.includes("ann") && !token.includes(base64Url("ann")));
});

Deno.test("verify() compares the whole tag of the binding", async () => {
  const codec = createRequestStateCodec({ key: KEY, bind: bindToName });
  const ann = { name: "ann" };
  const { json } = readSigned(await codec.mint(1, ann));
  const resigned = (json: string): Promise<unknown> =>
    codec.verify(codecToken(KEY, base64Url(json)), ann);
  const tag = JSON.parse(json).b;
  assert.equal(await resigned(json), 1);
  for (const other of ["", tag.slice(0, -1), `${tag}A`, tag.toLowerCase()]) {
    assert.equal(await reasonOf(resigned(json.replace(tag, other))), "bind");
  }
});

Deno.test("a bound codec demands a context on both sides", async () => {
  const codec = createRequestStateCodec({ key: KEY, bind: bindToName });
  const token = await codec.mint(1, { name: "ann" });
  await assert.rejects(codec.mint(1), { name: "TypeError", message: /ctx/ });
  await assert.rejects(codec.verify(token), {
    name: "TypeError",
    message: /ctx/,
  });
});

Deno.test("createRequestStateCodec() keeps its own copy of the key", async () => {
  const key = new TextEncoder().encode(KEY);
  const codec = createRequestStateCodec({ key });
  key.fill(0);
  const token = await codec.mint("kept");
  assert.equal(
    await createRequestStateCodec({ key: KEY }).verify(token),
    "kept",
  );
  assert.equal(
    await reasonOf(createRequestStateCodec({ key }).verify(token)),
    "mac",
  );
});

Deno.test("mint() refuses a payload that JSON cannot carry", async () => {
  const codec = createRequestStateCodec({ key: KEY });
  await assert.rejects(codec.mint(1n), TypeError);
  const ring: unknown[] = [];
  ring.push(ring);
  await assert.rejects(codec.mint(ring), TypeError);
});

Deno.test("createRequestStateCodec() refuses to start with options that cannot work", async (t) => {
  const wrong: [string, Record<string, unknown>, ErrorConstructor, RegExp][] = [
    ["a key of 31 bytes", { key: "k".repeat(31) }, RangeError, /31 bytes.*32/],
    ["no bytes", { key: new Uint8Array() }, RangeError, /0 bytes.*32/],
    ["no key", {}, TypeError, /undefined/],
    ["a key that is null", { key: null }, TypeError, /null/],
    ["a key of numbers", { key: Array(32).fill(1) }, TypeError, /object/],
    [
      "a key of wider numbers",
      { key: new Uint16Array(32) },
      TypeError,
      /object/,
    ],
    ...[0, -0, -1, NaN, Infinity, -Infinity].map((
      ttlSeconds,
    ): [string, Record<string, unknown>, ErrorConstructor, RegExp] => [
      `ttlSeconds ${ttlSeconds}`,
      { key: KEY, ttlSeconds },
      RangeError,
      /ttlSeconds.*finite/,
    ]),
    ["ttlSeconds as text", { key: KEY, ttlSeconds: "60" }, RangeError, /60/],
    ["ttlSeconds of null", { key: KEY, ttlSeconds: null }, RangeError, /null/],
  ];
  for (const [name, options, type, message] of wrong) {
    await t.step(name, () => {
      assert.throws(
        () => Reflect.apply(createRequestStateCodec, null, [options]),
        (error) => {
          assert(error instanceof type);
          assert.match(error.message, message);
          assert.ok(!error.message.includes("kkk"));
          return true;
        },
      );
    });
  }
});

Deno.test("createRequestStateCodec() counts a string key in UTF-8 bytes", async () => {
  const key = "ü".repeat(16);
  const token = await createRequestStateCodec({ key }).mint(1);
  const bytes = new TextEncoder().encode(key);
  assert.equal(await createRequestStateCodec({ key: bytes }).verify(token), 1);
});

Deno.test("verify() can be handed to the SDK's server as it is", async () => {
  const codec = createRequestStateCodec<{ step: string }>({
    key: KEY,
    bind: (ctx: ServerContext) => ctx.mcpReq.method,
  });
  const options: ServerOptions = { requestState: { verify: codec.verify } };
  const ctx = { mcpReq: { method: "tools/call" } } as unknown as ServerContext;
  const token = await codec.mint({ step: "one" }, ctx);
  assert.deepEqual(await options.requestState?.verify?.(token, ctx), {
    step: "one",
  });
});
