import {
  classify,
  invalidRequestError,
  type RpcNotification,
  type RpcRequest,
  type RpcResponse,
} from "../json_rpc.ts";

/** The only revision that has batches. */
const BATCH_VERSION = "2025-03-26";
/** How many messages one may hold. */
const MAX_MESSAGES = 100;

/** The messages of a batch, by what they are. */
export interface Batch {
  /** Those that want an answer. */
  readonly requests: readonly RpcRequest[];
  /** Those that want none. */
  readonly notifications: readonly RpcNotification[];
  /** Answers to requests of the server. */
  readonly responses: readonly RpcResponse[];
}

/**
 * Reads a JSON-RPC batch (2025-03-26, basic, batching).
 *
 * @param version The revision that was negotiated, if one was.
 * @throws {WireError} -32600 with HTTP 400 when none is allowed, or one of its
 * messages is none.
 */
export function readBatch(
  values: readonly unknown[],
  version: string | undefined,
): Batch {
  if (version !== BATCH_VERSION) {
    throw invalidRequestError(
      `Invalid request: only revision ${BATCH_VERSION} has batches`,
    );
  }
  if (values.length === 0 || values.length > MAX_MESSAGES) {
    throw invalidRequestError(
      `Invalid request: a batch has 1 to ${MAX_MESSAGES} messages, not ${values.length}`,
    );
  }
  const requests: RpcRequest[] = [];
  const notifications: RpcNotification[] = [];
  const responses: RpcResponse[] = [];
  for (const value of values) {
    const classified = classify(value);
    switch (classified.kind) {
      case "request":
        if (classified.message.method === "initialize") {
          throw invalidRequestError(
            "Invalid request: initialize cannot be part of a batch",
          );
        }
        requests.push(classified.message);
        break;
      case "notification":
        notifications.push(classified.message);
        break;
      case "response":
        responses.push(classified.message);
        break;
      case "invalid":
        throw invalidRequestError(classified.reason);
    }
  }
  return { requests, notifications, responses };
}
