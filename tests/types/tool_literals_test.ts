import { tool, z } from "../../mod.ts";

const Output = z.object({ kind: z.enum(["a", "b"]) });
const Nested = z.object({
  items: z.array(z.object({ kind: z.enum(["a", "b"]), n: z.number() })),
  pair: z.tuple([z.literal("x"), z.number()]),
});

Deno.test("types: a handler without parameters keeps the literals of its output", () => {
  tool("arrow", { output: Output, handler: () => ({ kind: "a" }) });
  tool("method", {
    output: Output,
    handler() {
      return { kind: "a" };
    },
  });
  tool("promise", {
    output: Output,
    handler: () => Promise.resolve({ kind: "a" as const }),
  });
  tool("nested", {
    output: Nested,
    handler: () => ({ items: [{ kind: "a", n: 1 }], pair: ["x", 2] }),
  });
});

Deno.test("types: a handler without parameters cannot return what its output does not allow", () => {
  // @ts-expect-error "c" is not of the enum.
  tool("other", { output: Output, handler: () => ({ kind: "c" }) });
  // @ts-expect-error "" is not of the enum.
  tool("empty", { output: Output, handler: () => ({ kind: "" }) });
  // @ts-expect-error The output is missing.
  tool("none", { output: Output, handler: () => {} });
});

Deno.test("types: a handler may add up numbers in what it returns", () => {
  const lines = [{ count: 1 }, { count: 2 }];
  const output = z.object({ total: z.number() });
  tool("with_parameters", {
    output,
    handler: (_input, ctx) => {
      ctx.log.debug("adding");
      return { total: lines.reduce((sum, line) => sum + line.count, 0) };
    },
  });
  tool("without", {
    output,
    handler: () => ({ total: lines.reduce((sum, l) => sum + l.count, 0) }),
  });
});
