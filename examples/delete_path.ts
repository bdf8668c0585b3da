/**
 * A destructive tool behind a person's consent that counts exactly once.
 *
 *     deno task start
 *     deno run -A stdio.ts examples/delete_path.ts
 *
 * It deletes files inside one directory only: `DELETE_PATH_DIRECTORY`, or a
 * temporary one with a few sample files. Records are kept in the Deno KV file
 * `DELETE_PATH_STORE`, or in the default database.
 *
 * The gate is written by hand here, to show what it is made of; `ctx.consent`
 * is the same in one call.
 */
import { isDeepStrictEqual } from "node:util";
import { notFound, validationError } from "../errors.ts";
import { createApp, inputRequired, kvState, tool, z } from "../mod.ts";
import { hashOf, resolveInside, sampleDirectory } from "./directory.ts";

export const directory: string = Deno.env.get("DELETE_PATH_DIRECTORY") ??
  await sampleDirectory();

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

export const deletePath = tool("delete_path", {
  description: "Delete a file after a person confirmed it.",
  input: z.object({
    path: z.string().describe("The file, relative to the directory served."),
  }),
  output: z.object({ deleted: z.string() }),
  annotations: { destructiveHint: true },

  async handler({ path }, ctx) {
    // 1. Redeem first, in one atomic step: of any number of retries that carry
    //    the same record, in any number of processes, one gets it.
    const id = ctx.inputs.state();
    const record = id !== undefined && /^[0-9a-f-]{36}$/.test(id)
      ? await ctx.state.take(`consent/${id}`, Consent)
      : null;

    // 2. What this call would confirm: this operation, for this caller, on
    //    this file as it is now.
    const file = await resolveInside(directory, path);
    const contentHash = await hashOf(file);
    if (contentHash === undefined) throw notFound(`There is no file ${path}`);
    const expected = {
      operation: "delete_path",
      clientId: ctx.auth?.clientId ?? "",
      subject: ctx.auth?.sub ?? "",
      target: path,
      contentHash,
    };
    const matches = isDeepStrictEqual(record, expected);

    // 3. Only a record that matches makes the answer mean anything.
    const view = ctx.inputs.view("confirm");
    if (matches && view.kind === "elicit" && view.action !== "accept") {
      throw validationError(`The deletion of ${path} was not confirmed`);
    }
    const answer = matches
      ? ctx.inputs.accepted("confirm", Confirm)
      : undefined;

    // 4. No matching record, or no answer: ask, with a fresh record.
    if (answer === undefined) {
      const fresh = crypto.randomUUID();
      await ctx.state.set(`consent/${fresh}`, expected, { ttl: 600 });
      return ctx.requestInput({
        inputRequests: {
          confirm: inputRequired.elicit({
            message: `Delete ${path}?`,
            requestedSchema: Confirm,
          }),
        },
        requestState: fresh,
      });
    }
    if (!answer.confirm) {
      throw validationError(`The deletion of ${path} was not confirmed`);
    }
    await Deno.remove(file);
    return { deleted: path };
  },
});

export default createApp({
  name: "delete-path",
  version: "1.0.0",
  tools: [deletePath],
  // Every process that a retry can reach has to see the same records.
  state: kvState(Deno.env.get("DELETE_PATH_STORE")),
  sessionMode: { default: "stateful", require: "stateful" },
});
