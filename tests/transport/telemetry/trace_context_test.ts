import assert from "node:assert/strict";
import fc from "fast-check";
import {
  readBaggage,
  readRemoteParent,
} from "../../../transport/telemetry/call_parent.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const SPAN = "00f067aa0ba902b7";

Deno.test("readRemoteParent() reads the caller's span and its flags", () => {
  assert.deepEqual(
    readRemoteParent({ traceparent: `00-${TRACE}-${SPAN}-01` }),
    { traceId: TRACE, spanId: SPAN, traceFlags: 1, traceState: undefined },
  );
  assert.equal(
    readRemoteParent({ traceparent: `00-${TRACE}-${SPAN}-00` })?.traceFlags,
    0,
  );
});

Deno.test("readRemoteParent() takes what later versions append", () => {
  for (const suffix of ["", "-", "-more", "-more-fields"]) {
    const traceparent = `01-${TRACE}-${SPAN}-01${suffix}`;
    assert.equal(readRemoteParent({ traceparent })?.traceId, TRACE, suffix);
  }
});

const MALFORMED: Record<string, unknown> = {
  "not text": 7,
  "empty": "",
  "a version that is not allowed": `ff-${TRACE}-${SPAN}-01`,
  "more fields in version 00": `00-${TRACE}-${SPAN}-01-x`,
  "capital digits": `00-${TRACE.toUpperCase()}-${SPAN}-01`,
  "a trace of zeros": `00-${"0".repeat(32)}-${SPAN}-01`,
  "a span of zeros": `00-${TRACE}-${"0".repeat(16)}-01`,
  "a short trace": `00-${TRACE.slice(1)}-${SPAN}-01`,
  "a long span": `00-${TRACE}-${SPAN}0-01`,
  "no flags": `00-${TRACE}-${SPAN}`,
  "a blank before": ` 00-${TRACE}-${SPAN}-01`,
  "a line break after": `00-${TRACE}-${SPAN}-01\n`,
};

for (const [what, traceparent] of Object.entries(MALFORMED)) {
  Deno.test(`readRemoteParent() ignores a traceparent with ${what}`, () => {
    assert.equal(readRemoteParent({ traceparent }), undefined);
  });
}

Deno.test("readRemoteParent() keeps a well-formed tracestate and drops others", () => {
  const traceparent = `00-${TRACE}-${SPAN}-01`;
  const keeps = (tracestate: unknown) =>
    readRemoteParent({ traceparent, tracestate })?.traceState === tracestate;
  assert.ok(keeps("rojo=00f067aa0ba902b7"));
  assert.ok(keeps("rojo=1,congo=t61rcWkgMzE"));
  assert.ok(keeps("a=1 , ,tenant@vendor=2"));
  for (
    const bad of ["", "novalue", "A=1", "a=1,b", "a=é", "=1", 7, ["a=1"]]
  ) {
    assert.ok(!keeps(bad), String(bad));
  }
  const many = Array.from({ length: 33 }, (_, i) => `k${i}=v`).join(",");
  assert.ok(!keeps(many));
  assert.equal(
    readRemoteParent({ traceparent, tracestate: "A=1" })?.traceId,
    TRACE,
  );
});

Deno.test("readBaggage() decodes entries and leaves out malformed ones", () => {
  const baggage =
    "userId=alice, serverNode=DF%2028;ttl=5;x ,bad key=1,noequals,isProd=false,bad=%GG";
  assert.deepEqual(readBaggage({ baggage }), {
    userId: { value: "alice", metadata: "" },
    serverNode: { value: "DF 28", metadata: "ttl=5;x" },
    isProd: { value: "false", metadata: "" },
  });
});

Deno.test("readBaggage() gives nothing where nothing is left", () => {
  for (const baggage of [undefined, 7, "", ",", "a", "x".repeat(9000)]) {
    assert.equal(readBaggage({ baggage }), undefined);
  }
});

Deno.test("a malformed trace context never throws", () => {
  fc.assert(
    fc.property(fc.anything(), fc.string(), fc.string(), (a, b, c) => {
      readRemoteParent(a);
      readBaggage(a);
      const meta = { traceparent: b, tracestate: c, baggage: b + c };
      assert.equal(readRemoteParent(meta), undefined);
      readBaggage(meta);
    }),
    { seed: 28 },
  );
});
