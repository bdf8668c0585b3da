import assert from "node:assert/strict";
import { resource, type UriVariables, z } from "../../../mod.ts";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends
  (<T>() => T extends B ? 1 : 2) ? true : false;

/** Flattens an intersection, so that it compares with a plain type. */
type Flat<T> = { [K in keyof T]: T[K] };

function expectTrue<T extends true>(..._: T[]): void {}

Deno.test("resource() types the variables of a literal template", () => {
  expectTrue<
    Equal<Flat<UriVariables<"note://{id}">>, { readonly id: string }>
  >();
  expectTrue<
    Equal<
      Flat<UriVariables<"doc://{+path}/{section}{?lang,page}">>,
      {
        readonly path: string;
        readonly section: string;
        readonly lang?: string;
        readonly page?: string;
      }
    >
  >();
  expectTrue<
    Equal<
      Flat<UriVariables<"a://{/dir*}{.ext:3}{#part}{;v}{&w}">>,
      {
        readonly dir: string;
        readonly ext: string;
        readonly part: string;
        readonly v?: string;
        readonly w?: string;
      }
    >
  >();
  expectTrue<
    Equal<UriVariables<string>, Readonly<Record<string, string>>>
  >();
  const note = resource("note://{id}", {
    handler: (variables) => {
      expectTrue<Equal<Flat<typeof variables>, { readonly id: string }>>();
      // @ts-expect-error The template has no such variable.
      return `${variables.id} ${variables.name}`;
    },
  });
  assert.equal(note.uri, "note://{id}");
});

Deno.test("resource() leaves the variables of a built template open", () => {
  const scheme: string = "note";
  const note = resource(scheme + "://{id}", {
    handler: ({ id }) => {
      expectTrue<Equal<typeof id, string | undefined>>();
      return `${id}`;
    },
  });
  assert.equal(note.uri, "note://{id}");
});

Deno.test("resource() types the variables by a schema where there is one", () => {
  const page = resource("page://{number}", {
    params: z.object({ number: z.coerce.number() }),
    handler: ({ number }) => {
      expectTrue<Equal<typeof number, number>>();
      return `${number + 1}`;
    },
  });
  assert.equal(page.uri, "page://{number}");
});
