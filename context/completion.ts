import type { Context } from "./context.ts";

/** What a completion callback may return: values, the best first. */
export type Completion =
  | readonly string[]
  | {
    /** The values; at most 100 are sent. */
    readonly values: readonly string[];
    /** How many there are in all. */
    readonly total?: number | undefined;
    /** Whether there are more. */
    readonly hasMore?: boolean | undefined;
  };

/**
 * Completes one argument.
 *
 * @param value What has been typed so far.
 * @param args The arguments that are already known.
 * @param ctx Who asks. Input cannot be asked for here.
 */
export type CompletionCallback = (
  value: string,
  args: Readonly<Record<string, string>>,
  ctx: Context,
) => Completion | Promise<Completion>;

/** A completion callback for each argument that has one. */
export type CompletionCallbacks = Readonly<Record<string, CompletionCallback>>;
