import assert from "node:assert/strict";
import type { ContextState } from "../../state/mod.ts";
import { McpError } from "../../errors.ts";

/** Gives the McpError that `run` rejects with, after looking at its code and text. */
export async function rejection(
  run: () => Promise<unknown>,
  code: number,
  message: RegExp,
): Promise<McpError> {
  let error: unknown;
  await assert.rejects(async () => {
    try {
      await run();
    } catch (caught) {
      error = caught;
      throw caught;
    }
  });
  assert.ok(error instanceof McpError, String(error));
  assert.equal(error.code, code, error.message);
  assert.match(error.message, message);
  return error;
}

/** Calls every method of a state with one key, one after the other. */
export const METHODS: Readonly<
  Record<
    string,
    (
      state: ContextState,
      key: string,
    ) => Promise<unknown>
  >
> = {
  get: (state, key) => state.get(key),
  set: (state, key) => state.set(key, 1),
  delete: (state, key) => state.delete(key),
  deleteMany: (state, key) => state.deleteMany(["good", key]),
  getMany: (state, key) => state.getMany(["good", key]),
  setMany: (state, key) => state.setMany(new Map([["good", 1], [key, 2]])),
  list: (state, key) => state.list(key),
  take: (state, key) => state.take(key),
  update: (state, key) => state.update(key, () => 1),
};
