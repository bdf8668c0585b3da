import { ErrorCode, type ErrorData, McpError } from "../errors.ts";

/** One failure a definition declares, so that callers know what may happen. */
export interface ErrorContract {
  /** A stable identifier, such as `"no_match"`; sent as `data.reason`. */
  readonly reason: string;
  /** The code of the failure; see `ErrorCode`. */
  readonly code: number;
  /** When it happens; also the message when none is given. */
  readonly when: string;
  /** What a caller can do about it; sent as `data.recovery.hint`. */
  readonly recovery?: string;
  /** Whether the same call may succeed later; sent as `data.retryable`. */
  readonly retryable?: boolean;
}

/** The union of the reasons a contract declares. */
export type ReasonOf<C extends readonly ErrorContract[]> = C[number]["reason"];

/** A hint, ready to be spread into an error's data. */
export interface Recovery {
  /** What a caller can do. */
  recovery: {
    /** One sentence. */
    hint: string;
  };
}

/** Builds the error of a declared reason. The caller throws it. */
export type TypedFail<R extends string> = (
  reason: R,
  message?: string,
  data?: ErrorData,
  options?: { cause?: unknown },
) => McpError;

/** Gives the declared hint of a reason. */
export type TypedRecoveryFor<R extends string> = (reason: R) => Recovery;

/** Reasons the framework sends itself; a contract may not declare them. */
export const RESERVED_REASONS: readonly string[] = [
  "call_timeout",
  "client_capability_missing",
  "input_cancelled",
  "input_declined",
  "insufficient_scope",
  "invalid_arguments",
  "invalid_request_state",
];

/** Builds the error of `reason` from a contract; what `ctx.fail` does. */
export function failFrom(
  contract: readonly ErrorContract[],
  reason: string,
  message?: string,
  data?: ErrorData,
  options?: { cause?: unknown },
): McpError {
  const entry = contract.find((candidate) => candidate.reason === reason);
  if (entry === undefined) {
    return new McpError(
      ErrorCode.InternalError,
      message ?? `Unknown failure reason "${reason}"`,
      {
        ...data,
        reason,
        declaredReasons: contract.map((candidate) => candidate.reason),
      },
      options,
    );
  }
  return new McpError(
    entry.code,
    message ?? entry.when,
    { ...data, reason },
    options,
  );
}

/** The hint a contract declares for `reason`; `{}` when there is none. */
export function recoveryFrom(
  contract: readonly ErrorContract[] | undefined,
  reason: string,
): Recovery | Record<never, never> {
  const hint = contract?.find((entry) => entry.reason === reason)?.recovery;
  return hint === undefined ? {} : { recovery: { hint } };
}

/** What a contract adds to the data of every failure that carries a reason. */
export function declaredData(
  contract: readonly ErrorContract[] | undefined,
  reason: unknown,
): ErrorData {
  const entry = contract?.find((candidate) => candidate.reason === reason);
  if (entry === undefined) return {};
  const { recovery: hint, retryable } = entry;
  return {
    ...(hint !== undefined && { recovery: { hint } }),
    ...(retryable !== undefined && { retryable }),
  };
}
