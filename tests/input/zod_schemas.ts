import fc from "fast-check";
import { z } from "zod";

/** A field of a generated form: how to make its schema, and what to answer. */
interface FieldKind {
  make: () => z.ZodType;
  answers: fc.Arbitrary<unknown>;
}

const text = fc.string({ maxLength: 6 });
const choice = fc.constantFrom("a", "b", "c");

const KINDS: Record<string, FieldKind> = {
  string: { make: () => z.string(), answers: text },
  "string.lengths": { make: () => z.string().min(1).max(4), answers: text },
  "string.regex": { make: () => z.string().regex(/^a/), answers: text },
  "string.trim": { make: () => z.string().trim(), answers: text },
  email: {
    make: () => z.email(),
    answers: fc.oneof(fc.constant("ann@example.com"), text),
  },
  "email.own": {
    make: () => z.email({ pattern: /@example\.com$/ }),
    answers: fc.constant("ann@example.com"),
  },
  "email.html5": {
    make: () => z.email({ pattern: z.regexes.html5Email }),
    answers: fc.constant("ann@example.com"),
  },
  url: {
    make: () => z.url(),
    answers: fc.oneof(fc.constant("https://example.com/"), text),
  },
  date: {
    make: () => z.iso.date(),
    answers: fc.oneof(fc.constant("2026-07-28"), text),
  },
  datetime: {
    make: () => z.iso.datetime(),
    answers: fc.oneof(fc.constant("2026-07-28T00:00:00Z"), text),
  },
  "datetime.offset": {
    make: () => z.iso.datetime({ offset: true, precision: 3 }),
    answers: fc.constant("2026-07-28T00:00:00.000+02:00"),
  },
  "datetime.local": {
    make: () => z.iso.datetime({ local: true }),
    answers: fc.constant("2026-07-28T00:00:00"),
  },
  "datetime.minutes": {
    make: () => z.iso.datetime({ precision: -1 }),
    answers: fc.constant("2026-07-28T00:00Z"),
  },
  uuid: { make: () => z.uuid(), answers: fc.uuid() },
  number: { make: () => z.number(), answers: fc.double() },
  "number.bounds": {
    make: () => z.number().min(-2).max(5.5),
    answers: fc.double({ min: -4, max: 8 }),
  },
  "number.gt": { make: () => z.number().gt(0), answers: fc.double() },
  int: { make: () => z.int(), answers: fc.integer() },
  "int.bounds": {
    make: () => z.int().min(1).max(5),
    answers: fc.integer({ min: 0, max: 6 }),
  },
  "int.step": { make: () => z.int().multipleOf(2), answers: fc.integer() },
  coerced: { make: () => z.coerce.number(), answers: text },
  boolean: { make: () => z.boolean(), answers: fc.boolean() },
  enum: { make: () => z.enum(["a", "b"]), answers: choice },
  literals: { make: () => z.literal(["a", "b"]), answers: choice },
  literal: { make: () => z.literal("a"), answers: choice },
  "literal.number": { make: () => z.literal(1), answers: fc.constant(1) },
  "literal.union": {
    make: () => z.union([z.literal("a"), z.literal("b")]),
    answers: choice,
  },
  list: {
    make: () => z.array(z.enum(["a", "b"])),
    answers: fc.array(choice, { maxLength: 3 }),
  },
  "list.sizes": {
    make: () => z.array(z.enum(["a", "b"])).min(1).max(2),
    answers: fc.array(choice, { maxLength: 3 }),
  },
  "list.strings": {
    make: () => z.array(z.string()),
    answers: fc.array(text, { maxLength: 3 }),
  },
  object: {
    make: () => z.object({ g: z.string() }),
    answers: fc.record({ g: text }),
  },
  unknown: { make: () => z.unknown(), answers: fc.jsonValue() },
  date_object: { make: () => z.date(), answers: text },
};

type Wrapper = (schema: z.ZodType) => z.ZodType;

const WRAPPERS: Record<string, Wrapper> = {
  plain: (schema) => schema,
  optional: (schema) => schema.optional(),
  nullable: (schema) => schema.nullable(),
  nullish: (schema) => schema.nullish(),
  readonly: (schema) => schema.readonly(),
  described: (schema) => schema.describe("What it is"),
  titled: (schema) => schema.meta({ title: "T", examples: [1], "x-n": 1 }),
  titled_badly: (schema) => schema.meta({ title: 7 as never }),
  commented: (schema) => schema.meta({ $comment: "c", deprecated: true }),
  extended: (schema) => schema.meta({ minProperties: 1 }),
  refined: (schema) => schema.refine((value) => value !== "a"),
  transformed: (schema) => schema.transform((value) => [value]),
  caught: (schema) => schema.catch("caught"),
  branded: (schema) => schema.brand("b"),
  defaulted: (schema) => schema.default("a"),
  defaulted_number: (schema) => schema.default(1),
  defaulted_list: (schema) => schema.default(["a"]),
  prefaulted: (schema) => schema.prefault("a"),
  piped: (schema) => schema.pipe(z.unknown()),
  lazy: (schema) => z.lazy(() => schema),
};

type Shape = Record<string, z.ZodType>;

const ROOTS: Record<string, (shape: Shape) => z.ZodType> = {
  object: (shape) => z.object(shape),
  titled: (shape) => z.object(shape).meta({ title: "T", description: "D" }),
  refined: (shape) => z.object(shape).refine((value) => value["f0"] !== "a"),
  partial: (shape) => z.object(shape).partial(),
  strict: (shape) => z.strictObject(shape),
  loose: (shape) => z.looseObject(shape),
  catchall: (shape) => z.object(shape).catchall(z.string()),
  defaulted: (shape) => z.object(shape).default({}),
  transformed: (shape) => z.object(shape).transform((value) => [value]),
  union: (shape) => z.union([z.object(shape), z.object({})]),
  list: (shape) => z.array(z.object(shape)),
};

/** A generated form, written so that a failing one can be read. */
export interface FormCase {
  root: string;
  fields: { name: string; kind: string; wrapper: string }[];
}

const names = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom("f0", "f1", "f2", "f3") },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "constructor",
      "toString",
      "__proto__",
      "hasOwnProperty",
      "",
      "ключ",
    ),
  },
);

function mostly(
  usual: string,
  others: readonly string[],
): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 5, arbitrary: fc.constant(usual) },
    { weight: 3, arbitrary: fc.constantFrom(...others) },
  );
}

/** Forms of up to three fields, about half of which cannot be expressed. */
export const formCases: fc.Arbitrary<FormCase> = fc.record({
  root: mostly("object", Object.keys(ROOTS)),
  fields: fc.uniqueArray(
    fc.record({
      name: names,
      kind: fc.constantFrom(...Object.keys(KINDS)),
      wrapper: mostly("plain", Object.keys(WRAPPERS)),
    }),
    { maxLength: 3, selector: (field) => field.name },
  ),
});

/** Makes the schema of a generated form. */
export function schemaOf({ root, fields }: FormCase): z.ZodType {
  const shape = Object.fromEntries(
    fields.map(({ name, kind, wrapper }) => {
      const made = KINDS[kind]?.make() ?? z.never();
      return [name, WRAPPERS[wrapper]?.(made) ?? made];
    }),
  );
  return ROOTS[root]?.(shape) ?? z.never();
}

/** Contents that fit a generated form more often than not. */
export function contentsFor({ fields }: FormCase): fc.Arbitrary<unknown> {
  const members = Object.fromEntries(
    fields.map(({ name, kind }) => [
      name,
      fc.oneof(
        { weight: 6, arbitrary: KINDS[kind]?.answers ?? fc.jsonValue() },
        { weight: 1, arbitrary: fc.jsonValue() },
      ),
    ]),
  );
  return fc.oneof(
    { weight: 6, arbitrary: fc.record(members) },
    {
      weight: 2,
      arbitrary: fc.record(
        { ...members, extra: fc.jsonValue() },
        { requiredKeys: [] },
      ),
    },
    { weight: 1, arbitrary: fc.jsonValue() },
  );
}
