/**
 * A little of everything that is not asked for: a tool that says how it may
 * fail and what it found, a resource, a template with its list, and a prompt
 * that completes its argument.
 *
 *     deno serve --host 127.0.0.1 examples/library.ts
 */
import {
  type App,
  createApp,
  notFound,
  prompt,
  resource,
  tool,
  z,
} from "../mod.ts";

const books: ReadonlyMap<string, string> = new Map([
  ["emma", "Emma Woodhouse, handsome, clever, and rich"],
  ["moby-dick", "Call me Ishmael."],
  ["middlemarch", "Miss Brooke had that kind of beauty"],
]);

const search = tool("search", {
  description: "Find books by a word of their first line.",
  input: z.object({ word: z.string().min(1) }),
  output: z.object({ ids: z.array(z.string()) }),
  enrichment: { totalCount: z.number() },
  errors: [{
    reason: "no_match",
    code: 404,
    when: "No book has the word in its first line",
    recovery: "Try a shorter word.",
  }],
  annotations: { readOnlyHint: true },
  format: ({ ids }) => `Found ${ids.join(", ")}`,
  handler({ word }, ctx) {
    const found = [...books].filter(([, line]) => line.includes(word));
    if (found.length === 0) throw ctx.fail("no_match");
    ctx.enrich.total(found.length);
    return { ids: found.map(([id]) => id) };
  },
});

const about = resource("library://about", {
  name: "about",
  mimeType: "text/plain",
  handler: () => `A library of ${books.size} first lines.`,
});

const book = resource("book://{id}", {
  name: "book",
  mimeType: "text/plain",
  list: () =>
    [...books.keys()].map((id) => ({ uri: `book://${id}`, name: id })),
  complete: { id: startingWith },
  handler({ id }) {
    const line = books.get(id);
    if (line === undefined) throw notFound("No such book", { id });
    return line;
  },
});

const continueBook = prompt("continue", {
  description: "Write on from a first line.",
  args: z.object({ id: z.string() }),
  complete: { id: startingWith },
  handler: ({ id }) => `Write on from here: ${books.get(id) ?? "Once"}`,
});

function startingWith(typed: string): string[] {
  return [...books.keys()].filter((id) => id.startsWith(typed));
}

/** The library. */
const app: App = createApp({
  name: "library",
  version: "1.0.0",
  tools: [search],
  resources: [about, book],
  prompts: [continueBook],
});

export default app;
