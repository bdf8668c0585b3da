import {
  type AppOptions,
  createApp,
  memoryState,
  notFound,
  prompt,
  resource,
  tool,
  z,
} from "../../../mod.ts";

const Name = z.object({ name: z.string() });

const greet = tool("greet", {
  description: "Greets.",
  input: z.object({ name: z.string() }),
  output: z.object({ greeting: z.string() }),
  handler: ({ name }) => ({ greeting: `Hello, ${name}` }),
});

const broken = tool("broken", {
  description: "Fails, although it declares what it gives.",
  input: z.object({}),
  output: z.object({ value: z.number() }),
  handler(): { value: number } {
    throw notFound("No such thing", { thing: 7 });
  },
});

const misfit = tool("misfit", {
  description: "Gives what it does not declare.",
  output: z.object({ value: z.number() }),
  handler: () => ({ value: "x" }) as never,
});

const interview = tool("interview", {
  description: "Asks everything there is to ask.",
  async handler(_args, ctx) {
    const { name } = await ctx.ask("name", { message: "Who?", schema: Name });
    const said = await ctx.ask("joke", {
      sampling: {
        messages: [{ role: "user", content: { type: "text", text: "A joke" } }],
        maxTokens: 10,
      },
    });
    const roots = await ctx.ask("roots", { roots: true });
    const page = await ctx.ask("page", {
      message: "Sign in",
      url: "https://a.test/",
    });
    const joke = Array.isArray(said.content) ? said.content[0] : said.content;
    return JSON.stringify([name, joke, roots[0]?.uri, page.action]);
  },
});

const declined = tool("declined", {
  description: "Asks, and minds a refusal.",
  async handler(_args, ctx) {
    await ctx.ask("name", { message: "Refuse!", schema: Name });
    return "not refused";
  },
});

const count = tool("count", {
  description: "Reports its progress.",
  async handler(_args, ctx) {
    for (const value of [1, 2, 3]) ctx.progress(value, 3, `step ${value}`);
    // A client may lose track of progress that comes together with the result.
    await new Promise((resolve) => setTimeout(resolve, 20));
    return "counted";
  },
});

const chat = tool("chat", {
  description: "Logs at two levels.",
  handler(_args, ctx) {
    ctx.log.debug("aside");
    ctx.log.warning("beware", { reason: "test" });
    return "logged";
  },
});

const wait = tool("wait", {
  description: "Waits until it is cancelled.",
  async handler(_args, ctx) {
    const { signal } = ctx;
    await new Promise<void>((resolve) => {
      signal.addEventListener("abort", () => resolve());
      if (signal.aborted) resolve();
    });
    ctx.notifyResourceUpdated("test://cancelled");
    return "cancelled";
  },
});

const touch = tool("touch", {
  description: "Says that everything changed.",
  handler(_args, ctx) {
    ctx.notifyToolListChanged();
    ctx.notifyPromptListChanged();
    ctx.notifyResourceListChanged();
    ctx.notifyResourceUpdated("test://other");
    ctx.notifyResourceUpdated("test://note/a");
    return "touched";
  },
});

const letter = prompt("letter", {
  description: "Writes to someone.",
  args: z.object({ to: z.string().optional() }),
  complete: {
    to: (value) => ["Ada", "Bob"].filter((n) => n.startsWith(value)),
  },
  async handler({ to }, ctx) {
    const name = to ??
      (await ctx.ask("name", { message: "To whom?", schema: Name })).name;
    return `Dear ${name}`;
  },
});

const note = resource("test://note/{id}", {
  name: "note",
  async handler({ id }, ctx) {
    if (id === "none") throw notFound("No such note");
    const { name } = await ctx.ask("name", { message: "By?", schema: Name });
    return `Note ${id} by ${name}`;
  },
});

const fixed = resource("test://fixed", {
  name: "fixed",
  handler: () => "text",
});

/** Everything a client of the 2025 era can meet. */
export const exhibition: AppOptions = {
  name: "exhibition",
  version: "3.2.1",
  instructions: "Look around.",
  tools: [
    greet,
    broken,
    misfit,
    interview,
    declined,
    count,
    chat,
    wait,
    touch,
  ],
  prompts: [letter],
  resources: [note, fixed],
  state: memoryState(),
  logLevel: "debug",
};

export default createApp({ ...exhibition, state: memoryState() });
