/**
 * Values that break careless code: they throw when they are touched, never
 * end, hold themselves or cannot be written as JSON.
 *
 * @module
 */

import fc from "fast-check";

function proxy(handler: ProxyHandler<object>, target: object = {}): object {
  return new Proxy(target, handler);
}

function explode(): never {
  throw new Error("boom");
}

function allTraps(): ProxyHandler<object> {
  return {
    get: explode,
    has: explode,
    ownKeys: explode,
    getPrototypeOf: explode,
    getOwnPropertyDescriptor: explode,
    set: explode,
    defineProperty: explode,
    deleteProperty: explode,
  };
}

function revoked(target: object): object {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

function endless(): object {
  return proxy({
    get: (_, key) => key === "toJSON" ? undefined : endless(),
    ownKeys: () => ["a", "b"],
    getOwnPropertyDescriptor: () => ({
      value: 1,
      enumerable: true,
      configurable: true,
    }),
  });
}

function cyclic(): object {
  const map = new Map<string, unknown>();
  const value = { map, list: [] as unknown[], self: {} as unknown };
  value.self = value;
  value.list.push(value, map);
  map.set("value", value);
  return value;
}

function shared(): unknown {
  let value: unknown = "leaf";
  for (let depth = 0; depth < 40; depth++) value = [value, value, value];
  return value;
}

function deep(): unknown {
  let value: unknown = "bottom";
  for (let depth = 0; depth < 20_000; depth++) value = { value };
  return value;
}

function selfCausing(): Error {
  const error = new AggregateError([], "round and round");
  error.cause = error;
  error.errors.push(error);
  return error;
}

/** Makes one hostile value of each kind. */
export const HOSTILE_KINDS: Readonly<Record<string, () => unknown>> = {
  undefined: () => undefined,
  null: () => null,
  nan: () => NaN,
  infinity: () => -Infinity,
  bigint: () => 2n ** 70n,
  hugeBigint: () => 1n << 200_000n,
  symbol: () => Symbol("s"),
  function: () => function named() {},
  class: () => class Named {},
  functionWithThrowingName: () =>
    Object.defineProperty(() => {}, "name", { get: explode }),
  invalidDate: () => new Date(NaN),
  loneSurrogate: () => "a\ud800b",
  hugeString: () => "x".repeat(1 << 20),
  map: () => new Map<unknown, unknown>([["a", 1n], [{}, 2], [Symbol(), 3]]),
  set: () => new Set([1n, new Set([undefined])]),
  weakMap: () => new WeakMap(),
  promise: () => Promise.resolve(1),
  bytes: () => new Uint8Array(1 << 16),
  buffer: () => new ArrayBuffer(8),
  blob: () => new Blob(["x"], { type: "text/plain" }),
  regExp: () => /a/g,
  url: () => new URL("https://host.example/a?token=b"),
  headers: () => new Headers({ authorization: "Bearer abc123" }),
  response: () => new Response("x"),
  sparse: () => Object.assign([], { 5: 1, length: 10 }),
  hugeArray: () => Array.from({ length: 50_000 }, (_, index) => index),
  nullPrototype: () => Object.assign(Object.create(null), { a: 1 }),
  proto: () => JSON.parse('{"__proto__":{"polluted":true},"constructor":1}'),
  cyclic,
  shared,
  deep,
  endless,
  selfCausing,
  throwingGetter: () => ({
    ok: 1,
    get bad() {
      return explode();
    },
  }),
  throwingToJson: () => ({ toJSON: explode }),
  toJsonOfItself: () => ({
    a: 1,
    toJSON() {
      return this;
    },
  }),
  toJsonForEver: () => {
    const make = (): object => ({ toJSON: make });
    return make();
  },
  proxyThatThrows: () => proxy(allTraps()),
  proxyOfFunction: () => proxy(allTraps(), () => {}),
  proxyOfArray: () => proxy(allTraps(), []),
  revokedObject: () => revoked({}),
  revokedArray: () => revoked([]),
  revokedFunction: () => revoked(() => {}),
  fakeError: () => Object.create(Error.prototype),
  errorThatThrows: () =>
    Object.defineProperties(new Error("x"), {
      message: { get: explode },
      stack: { get: explode },
      name: { get: explode },
      cause: { get: explode },
    }),
  errorWithOddFields: () =>
    Object.assign(new Error("x"), { message: { a: 1n }, name: 5, code: 1n }),
  errorOfProxy: () => proxy(allTraps(), new Error("x")),
  fakeMap: () => Object.setPrototypeOf({}, Map.prototype),
  mapThatThrows: () =>
    new (class extends Map<string, number> {
      override entries(): never {
        return explode();
      }
      override [Symbol.iterator](): never {
        return explode();
      }
    })([["a", 1]]),
  fakeDate: () => Object.setPrototypeOf({}, Date.prototype),
  throwingTag: () => ({
    get [Symbol.toStringTag]() {
      return explode();
    },
  }),
  throwingToString: () => ({ toString: explode, valueOf: explode }),
  boxed: () => [Object(1n), Object("s"), Object(1), Object(Symbol("s"))],
};

/**
 * Makers of hostile values of every kind, alone and nested in ordinary ones.
 * Makers, because the values themselves would break the generator.
 */
export function hostileMaker(): fc.Arbitrary<() => unknown> {
  const ordinary = fc.anything({
    withBigInt: true,
    withBoxedValues: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withSet: true,
    withSparseArray: true,
    withTypedArray: true,
  });
  const leaf = fc.oneof(
    fc.constantFrom(...Object.values(HOSTILE_KINDS)),
    ordinary.map((value) => () => value),
  );
  return fc.oneof(
    leaf,
    fc.array(leaf, { maxLength: 4 })
      .map((makers) => () => makers.map((make) => make())),
    fc.dictionary(fc.string(), leaf, { maxKeys: 4 })
      .map((makers) => () =>
        Object.fromEntries(
          Object.entries(makers).map(([key, make]) => [key, make()]),
        )
      ),
    leaf.map((make) => () => new Error("wrapped", { cause: make() })),
    leaf.map((make) => () => new Map([["value", make()]])),
  );
}

/** The same hostile values each time. */
export function hostileValues(count: number): unknown[] {
  return fc.sample(hostileMaker(), { numRuns: count, seed: 20260728 })
    .map((make) => make());
}
