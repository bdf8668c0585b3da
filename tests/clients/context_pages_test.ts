import assert from "node:assert/strict";
import { createHash, randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import {
  createApp,
  inputRequired,
  memoryState,
  tool,
  validationError,
  z,
} from "../../mod.ts";
import {
  type Answerer,
  type ClientKind,
  CLIENTS,
  connect,
  type Person,
  type PersonOptions,
} from "../input_flow/_clients.ts";

const Format = z.object({
  format: z.enum(["json", "csv"]).describe("Export format"),
});

const exportReport = tool("export_report", {
  description:
    "Export a report, asking for the format when the caller left it out.",
  input: z.object({
    reportId: z.string().describe("Report to export"),
    format: z.enum(["json", "csv"]).optional().describe(
      "Export format; asked for when omitted",
    ),
  }),
  output: z.object({ url: z.string().describe("Download URL") }),

  handler(input, ctx) {
    const view = ctx.inputs.view("format");
    if (view.kind === "elicit" && view.action !== "accept") {
      throw validationError(`User ${view.action} the format prompt.`);
    }
    const format = input.format ??
      ctx.inputs.accepted("format", Format)?.format;
    if (!format) {
      return ctx.requestInput(
        {
          inputRequests: {
            format: inputRequired.elicit({
              message: "Which format?",
              requestedSchema: Format,
            }),
          },
        },
        { fallbackHint: "Or call again with format supplied." },
      );
    }
    return { url: exportAs(input.reportId, format) };
  },
});

function exportAs(reportId: string, format: "json" | "csv"): string {
  return `https://example.com/${reportId}.${format}`;
}

const Confirm = z.object({
  confirm: z.boolean().describe("Whether to proceed with the deletion."),
});
const Consent = z.object({
  operation: z.string(),
  clientId: z.string(),
  subject: z.string(),
  target: z.string(),
  contentHash: z.string(),
});

/** Deletes from a map, behind the gate as it is written by hand. */
function deletePath(files: Map<string, string>) {
  const hashOf = (path: string) =>
    createHash("sha256").update(files.get(path) ?? "").digest("hex");
  return tool("delete_path", {
    description: "Delete a path after the user confirms it.",
    input: z.object({ path: z.string() }),
    output: z.object({ deleted: z.string() }),
    annotations: { destructiveHint: true },

    async handler(input, ctx) {
      const id = ctx.inputs.state();
      const record = id && /^[0-9a-f-]{36}$/.test(id)
        ? await ctx.state.get(`consent/${id}`, Consent)
        : null;
      if (record) await ctx.state.delete(`consent/${id}`);
      const expected = {
        operation: "delete_path",
        clientId: ctx.auth?.clientId ?? "",
        subject: ctx.auth?.sub ?? "",
        target: input.path,
        contentHash: hashOf(input.path),
      };
      const matches = record !== null && isDeepStrictEqual(record, expected);
      const view = ctx.inputs.view("confirm");
      if (matches && view.kind === "elicit" && view.action !== "accept") {
        throw validationError(`User ${view.action} the deletion.`);
      }
      const answer = matches
        ? ctx.inputs.accepted("confirm", Confirm)
        : undefined;
      if (!answer) {
        const fresh = randomUUID();
        await ctx.state.set(`consent/${fresh}`, expected, { ttl: 600 });
        return ctx.requestInput({
          inputRequests: {
            confirm: inputRequired.elicit({
              message: `Delete ${input.path}?`,
              requestedSchema: Confirm,
            }),
          },
          requestState: fresh,
        });
      }
      if (!answer.confirm) throw validationError("Deletion not confirmed.");
      files.delete(input.path);
      return { deleted: input.path };
    },
  });
}

const whereabouts = tool("whereabouts", {
  output: z.object({ source: z.string() }),
  handler(_input, ctx) {
    const roots = ctx.inputs.view("roots");
    if (roots.kind === "roots") return { source: roots.roots[0]!.uri };
    if (ctx.clientCapabilities?.roots) {
      return ctx.requestInput({
        inputRequests: { roots: inputRequired.listRoots() },
      });
    }
    return { source: "the launch directory" };
  },
});

interface Meeting {
  readonly person: Person;
  readonly files: Map<string, string>;
  call(name: string, args: object): Promise<Record<string, unknown>>;
}

async function meet(
  kind: ClientKind,
  answer: Answerer,
  use: (meeting: Meeting) => Promise<void>,
  options: PersonOptions = {},
): Promise<void> {
  const files = new Map([["/a", "text"]]);
  const app = createApp({
    name: "pages",
    version: "1.0.0",
    tools: [exportReport, deletePath(files), whereabouts],
    state: memoryState(),
    sessionMode: { default: "stateful", require: "stateful" },
    logLevel: "emergency",
  });
  const person = await connect(kind, app, answer, options);
  const call = (name: string, args: object) =>
    person.request("tools/call", { name, arguments: args });
  try {
    await use({ person, files, call });
  } finally {
    await person.close();
    await app.close();
  }
}

const accept = (content: object): Answerer => () => ({
  action: "accept",
  content,
});

for (const kind of CLIENTS) {
  Deno.test(`export_report asks for what the caller left out (${kind} client)`, () =>
    meet(kind, accept({ format: "csv" }), async ({ call, person }) => {
      const given = await call("export_report", {
        reportId: "r1",
        format: "json",
      });
      assert.deepEqual(given.structuredContent, {
        url: "https://example.com/r1.json",
      });
      assert.equal(person.asked.length, 0);
      const asked = await call("export_report", { reportId: "r1" });
      assert.deepEqual(asked.structuredContent, {
        url: "https://example.com/r1.csv",
      });
      assert.deepEqual(person.asked.map(({ params }) => params.message), [
        "Which format?",
      ]);
    }));

  Deno.test(`export_report takes a refusal for a dead end (${kind} client)`, () =>
    meet(kind, () => ({ action: "cancel" }), async ({ call, person }) => {
      const result = await call("export_report", { reportId: "r1" });
      assert.equal(result.isError, true);
      assert.deepEqual(result.content, [
        { type: "text", text: "Error: User cancel the format prompt." },
      ]);
      assert.equal(person.asked.length, 1);
    }));

  Deno.test(`delete_path deletes what was confirmed, once (${kind} client)`, () =>
    meet(kind, accept({ confirm: true }), async ({ call, person, files }) => {
      const result = await call("delete_path", { path: "/a" });
      assert.deepEqual(result.structuredContent, { deleted: "/a" });
      assert.deepEqual([...files], []);
      assert.deepEqual(person.asked.map(({ params }) => params.message), [
        "Delete /a?",
      ]);
    }));

  Deno.test(`delete_path leaves what was not confirmed (${kind} client)`, () =>
    meet(kind, accept({ confirm: false }), async ({ call, files }) => {
      const result = await call("delete_path", { path: "/a" });
      assert.equal(result.isError, true);
      assert.deepEqual([...files], [["/a", "text"]]);
    }));

  Deno.test(`optional context is asked for where the client can give it (${kind} client)`, async () => {
    const roots: Answerer = () => ({ roots: [{ uri: "file:///home" }] });
    await meet(kind, roots, async ({ call }) => {
      const result = await call("whereabouts", {});
      assert.deepEqual(result.structuredContent, { source: "file:///home" });
    });
    await meet(kind, roots, async ({ call, person }) => {
      const result = await call("whereabouts", {});
      assert.deepEqual(result.structuredContent, {
        source: "the launch directory",
      });
      assert.equal(person.asked.length, 0);
    }, { capabilities: { elicitation: {} } });
  });
}

for (const kind of CLIENTS.filter((kind) => kind.endsWith("legacy"))) {
  Deno.test(`a caller who cannot be asked is told how to do without (${kind} client)`, () =>
    meet(kind, () => ({}), async ({ call }) => {
      const result = await call("export_report", { reportId: "r1" });
      assert.equal(result.isError, true);
      const [block] = result.content as { text: string }[];
      assert.match(
        block!.text,
        /^Recovery: Reconnect with a client that declares the `elicitation.form` capability\. Or call again with format supplied\.$/m,
      );
      // Its schema is for what the tool gives when it succeeds.
      assert.equal(result.structuredContent, undefined);
      assert.partialDeepStrictEqual(result._meta, {
        "parley/error": {
          code: -32600,
          data: { reason: "client_capability_missing" },
        },
      });
    }, { capabilities: { sampling: {} } }));
}
