import type { LogCategory } from "../../context/log/process_line.ts";
import { logProcess } from "../../context/log/process_log.ts";
import type { StateBackend } from "../../state/mod.ts";
import { isObject, type RequestId, type RpcResponse } from "../json_rpc.ts";
import { createStoreLog, type StoreLog } from "../store_log.ts";

const SESSIONS: LogCategory = ["parley", "sessions"];

/** What one process tells the others about a session. */
export type RelayMessage =
  | {
    /** A client answered a question that was put elsewhere. */
    readonly kind: "answer";
    readonly session: string;
    readonly response: RpcResponse;
  }
  | {
    /** A client cancelled a request that is not running here. */
    readonly kind: "cancel";
    readonly session: string;
    readonly id: RequestId;
    readonly reason: string;
  }
  | {
    /** A session's own stream is read here. */
    readonly kind: "listening";
    readonly session: string;
    /** Sorts behind that of every stream that was opened before. */
    readonly order: string;
  }
  | {
    /** A session is over, or its own stream is no longer read here. */
    readonly kind: "ended" | "left";
    readonly session: string;
  };

/** A piece of a message that is too long for one entry of the store. */
interface Piece {
  readonly kind: "piece";
  readonly message: string;
  readonly text: string;
  readonly last: boolean;
}

/** Characters in one piece. */
const PIECE_SIZE = 100_000;
/** How many unfinished messages are kept. */
const MAX_UNFINISHED = 100;

/**
 * Carries what concerns a session to the process that needs it, over the
 * store: the call may run in one process and the answer arrive at another.
 * The store is read only while something here may need to hear of it.
 */
export class Relay {
  readonly #log: StoreLog;
  readonly #hear: (message: RelayMessage) => void;
  readonly #unfinished = new Map<string, string>();
  #holds = 0;
  #unfollow: (() => void) | undefined;

  /**
   * @param backend The store.
   * @param hear Takes what other processes tell.
   */
  constructor(
    backend: StateBackend,
    hear: (message: RelayMessage) => void,
  ) {
    this.#hear = hear;
    this.#log = createStoreLog(backend, "relay", {
      onError: (error) =>
        logProcess(
          SESSIONS,
          "warning",
          "Sessions cannot be shared with other processes: {error}",
          { error },
        ),
    });
  }

  /** Tells every other process that listens. */
  tell(message: RelayMessage): void {
    const text = JSON.stringify(message);
    if (text.length <= PIECE_SIZE) return this.#log.append(message);
    const id = crypto.randomUUID();
    for (let start = 0; start < text.length; start += PIECE_SIZE) {
      const piece: Piece = {
        kind: "piece",
        message: id,
        text: text.slice(start, start + PIECE_SIZE),
        last: start + PIECE_SIZE >= text.length,
      };
      this.#log.append(piece);
    }
  }

  /**
   * Listens, until the function given back is called.
   *
   * @param since From when on it matters what was told, ms since the epoch.
   */
  hold(since: number): () => void {
    if (++this.#holds === 1) {
      this.#unfollow = this.#log.follow((value) => this.#take(value), since);
    }
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      if (--this.#holds === 0) this.#unfollow?.();
    };
  }

  /** Tells what waits, and stops. */
  close(): Promise<void> {
    return this.#log.close();
  }

  #take(value: unknown): void {
    if (!isObject(value)) return;
    if (value.kind === "piece") this.#takePiece(value as unknown as Piece);
    else this.#hear(value as unknown as RelayMessage);
  }

  #takePiece({ message, text, last }: Piece): void {
    const whole = (this.#unfinished.get(message) ?? "") + text;
    if (last) {
      this.#unfinished.delete(message);
      this.#take(JSON.parse(whole));
      return;
    }
    this.#unfinished.set(message, whole);
    if (this.#unfinished.size <= MAX_UNFINISHED) return;
    for (const oldest of this.#unfinished.keys()) {
      this.#unfinished.delete(oldest);
      break;
    }
  }
}
