import { refuseQuestions } from "../../input/capabilities.ts";
import type { AuthContext } from "../../context/auth_context.ts";
import type { LogLevel } from "../../context/log/levels.ts";
import type { ClientCapabilities, Implementation } from "../../types.ts";
import type { Caller } from "../exchange.ts";
import type { RequestId } from "../json_rpc.ts";
import type { ClientStream } from "./client_stream.ts";
import type { PostPeer } from "./post_reply.ts";
import type { RunningCall } from "./running_call.ts";

/** What is stored of a session. */
export interface SessionRecord {
  /** The revision that was negotiated. */
  readonly version: string;
  /** What the client can do. */
  readonly capabilities: ClientCapabilities;
  /** Who the client says it is. */
  readonly info?: Implementation | undefined;
  /** Who opened it, and may use it. */
  readonly principal: string;
  /** The level from which the client wants log messages. */
  readonly logLevel: LogLevel;
  /** The resources the client wants to hear of. */
  readonly subscriptions: readonly string[];
  /** Until when the entries that say so are kept, ms since the epoch. */
  readonly subscribedUntil: number;
}

/** A session as this process knows it. */
export class Session {
  /** Calls of the session that run in this process, the oldest first. */
  readonly calls = new Set<RunningCall>();
  /** Its streams in this process that can be resumed, the oldest first. */
  readonly streams = new Set<ClientStream>();
  /** How many streams of its own it has in this process. */
  listeners = 0;
  /** Whether it is over. */
  ended = false;
  /** When it was last used in this process, ms since the epoch. */
  seenAt = 0;
  /** When the store last confirmed it. */
  checkedAt = 0;
  /** When its expiry was last put off. */
  touchedAt = 0;
  /** A look at the store that is under way. */
  checking: Promise<Session | undefined> | undefined;
  /** The client, for the requests it sends. */
  peer: PostPeer | undefined;
  #caller: Caller | undefined;

  /**
   * @param id Its id, which the client sends with each request.
   * @param record What is stored of it.
   * @param etag The version of the stored entry.
   */
  constructor(
    readonly id: string,
    public record: SessionRecord,
    public etag: string,
  ) {}

  /** Takes over what another process wrote. */
  renew(record: SessionRecord, etag: string): void {
    this.record = record;
    this.etag = etag;
    this.#caller = undefined;
  }

  /** Who sends a request of this session. */
  callerOf(auth: AuthContext | undefined): Caller {
    if (auth !== undefined) return this.#newCaller(auth);
    return this.#caller ??= this.#newCaller(undefined);
  }

  #newCaller(auth: AuthContext | undefined): Caller {
    const { capabilities, info, logLevel, version } = this.record;
    return {
      era: "legacy",
      refuse: refuseQuestions,
      auth,
      tenantId: auth === undefined ? "default" : auth.tenantId,
      sessionId: this.id,
      clientCapabilities: capabilities,
      clientInfo: info,
      logLevel,
      version,
    };
  }

  /**
   * Cancels the oldest running call with an id, as its client wishes.
   *
   * @returns Whether there was one.
   */
  cancel(requestId: RequestId, reason: string): boolean {
    for (const call of this.calls) {
      if (call.id !== requestId) continue;
      this.calls.delete(call);
      call.cancel(reason);
      return true;
    }
    return false;
  }

  /** Ends every running call, and tells those who wait for an answer. */
  end(): void {
    this.ended = true;
    for (const call of [...this.calls]) call.endWithSession();
    for (const stream of [...this.streams]) stream.end();
    this.calls.clear();
  }
}
