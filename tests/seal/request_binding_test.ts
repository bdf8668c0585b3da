import assert from "node:assert/strict";
import fc from "fast-check";
import {
  createSealer,
  requestBinding,
  type RequestBindingParts,
} from "../../seal/mod.ts";

const CALL: RequestBindingParts = {
  clientId: "app",
  subject: "ann",
  tenantId: "t1",
  audience: "https://one.example",
  method: "tools/call",
  target: "delete_file",
  args: { path: "/a", opts: { x: 1, y: 2 } },
};

const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 4 }),
  fc.constantFrom(
    "",
    "null",
    '"',
    '","',
    "[",
    "\\",
    "\0",
    "\ud800",
    "\ud801",
    "\ufffd",
  ),
);
const anyPerhaps = fc.option(anyText, { nil: undefined });
const anyParts = fc.record({
  clientId: anyPerhaps,
  subject: anyPerhaps,
  tenantId: anyPerhaps,
  audience: anyPerhaps,
  method: anyText,
  target: anyText,
  args: fc.jsonValue({ maxDepth: 1 }),
});

Deno.test.each<[string, Partial<RequestBindingParts>]>([
  ["another subject", { subject: "bob" }],
  ["no subject", { subject: undefined }],
  ["an empty subject", { subject: "" }],
  ["another client", { clientId: "other" }],
  ["client and subject exchanged", { clientId: "ann", subject: "app" }],
  ["another tenant", { tenantId: "t2" }],
  ["another server", { audience: "https://two.example" }],
  ["another tool", { target: "delete_all" }],
  ["another case", { target: "Delete_file" }],
  ["a prompt of the same name", { method: "prompts/get" }],
  ["another argument", { args: { path: "/b", opts: { x: 1, y: 2 } } }],
  ["an argument more", {
    args: { path: "/a", opts: { x: 1, y: 2 }, force: true },
  }],
  ["an argument less", { args: { path: "/a" } }],
  ["an argument of another type", {
    args: { path: "/a", opts: { x: "1", y: 2 } },
  }],
  ["a list in another order", { args: { path: "/a", opts: [2, 1] } }],
  ["no arguments", { args: undefined }],
])("sealed state does not open for %s", async (_name, difference) => {
  const sealer = createSealer({ keys: ["a key for tests that is 32 bytes"] });
  const sealed = await sealer.seal("job-7", requestBinding(CALL));
  await assert.rejects(
    sealer.open(sealed, requestBinding({ ...CALL, ...difference })),
    { code: -32602, data: { reason: "invalid_request_state" } },
  );
});

Deno.test.each([
  ["the keys in another order", '{"opts":{"y":2,"x":1},"path":"/a"}'],
  ["numbers spelled differently", '{"path":"/a","opts":{"x":1.0,"y":2e0}}'],
  ["characters escaped", '{"p\\u0061th":"\\/a","opts":{"x":1,"y":2}}'],
])("sealed state opens for the same call with %s", async (_name, json) => {
  const sealer = createSealer({ keys: ["a key for tests that is 32 bytes"] });
  const sealed = await sealer.seal("job-7", requestBinding(CALL));
  const args: unknown = JSON.parse(json);
  assert.equal(
    await sealer.open(sealed, requestBinding({ ...CALL, args })),
    "job-7",
  );
});

Deno.test("requestBinding() takes arguments left out for none", () => {
  const call = { method: "tools/call", target: "now" };
  assert.equal(requestBinding(call), requestBinding({ ...call, args: {} }));
});

Deno.test("requestBinding() gives strings that differ for parts that differ", () => {
  fc.assert(
    fc.property(anyParts, anyParts, fc.nat(6), (a, b, shared) => {
      // Most parts alike, or the two would hardly ever be close.
      const close = Object.fromEntries(
        Object.entries(a).map(([name, part], i) => [
          name,
          i === shared ? b[name as keyof typeof b] : part,
        ]),
      ) as typeof a;
      const same = isSame(a, close);
      assert.equal(requestBinding(a) === requestBinding(close), same);
    }),
    { numRuns: 1000 },
  );
});

Deno.test("requestBinding() does not confuse where one part ends and the next begins", () => {
  fc.assert(
    fc.property(anyText, anyText, (left, right) => {
      const moved = [
        { ...CALL, method: left, target: right },
        { ...CALL, method: left + right, target: "" },
        { ...CALL, method: "", target: left + right },
        { ...CALL, method: `${left}","${right}`, target: "" },
      ];
      for (const [i, a] of moved.entries()) {
        for (const b of moved.slice(0, i)) {
          const same = a.method === b.method && a.target === b.target;
          assert.equal(requestBinding(a) === requestBinding(b), same);
        }
      }
    }),
  );
});

Deno.test("requestBinding() is a well-formed JSON array whatever the parts", () => {
  fc.assert(fc.property(anyParts, (parts) => {
    const binding = requestBinding(parts);
    assert.ok(binding.isWellFormed());
    assert.ok(Array.isArray(JSON.parse(binding)));
  }));
});

Deno.test("requestBinding() refuses arguments nested beyond its bound instead of crashing", () => {
  const args: unknown = JSON.parse("[".repeat(100_000) + "]".repeat(100_000));
  assert.throws(() => requestBinding({ ...CALL, args }), RangeError);
});

function isSame(a: unknown, b: unknown): boolean {
  try {
    assert.deepEqual(asJson(a), asJson(b));
    return true;
  } catch {
    return false;
  }
}

function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
