import type { LogCategory } from "../../context/log/process_line.ts";
import { logProcess } from "../../context/log/process_log.ts";
import { ErrorCode } from "../../errors.ts";
import type { StateBackend } from "../../state/mod.ts";
import { errorMessage, isObject, type RequestId } from "../json_rpc.ts";
import { EventStream, type KeepAlive, SSE_HEADERS } from "../sse.ts";
import type { StreamEvent } from "./client_stream.ts";
import { eventId, type EventPosition } from "./stream_event.ts";
import { PulseWatch } from "./pulse.ts";
import type { Session } from "./session.ts";
import type { StoredStream, StoredStreams } from "./stored_streams.ts";

const SESSIONS: LogCategory = ["parley", "sessions"];

/** How often the store is asked for more, ms. */
const POLL_MS = 100;
/** How often it is, between two times that the writer's pulse is felt. */
const LOOKS_PER_PULSE = 10;

/** What {@linkcode Followers} takes. */
export interface FollowersOptions {
  /** The store. */
  readonly backend: StateBackend;
  /** The streams in it. */
  readonly stored: StoredStreams;
  /** Sends keep-alive comments. */
  readonly keepAlive: KeepAlive;
}

/** Sends clients what other processes write to their streams. */
export class Followers {
  readonly #options: FollowersOptions;
  readonly #open = new Set<Follower>();

  constructor(options: FollowersOptions) {
    this.#options = options;
  }

  /**
   * Goes on with a stream after a position.
   *
   * @param begun What has been read of it.
   */
  follow(
    session: Session,
    position: EventPosition,
    begun: StoredStream,
  ): Response {
    const follower = new Follower(this.#options, {
      session,
      position,
      onEnd: () => this.#open.delete(follower),
    });
    this.#open.add(follower);
    return follower.begin(begun);
  }

  /** Lets go of the clients. @returns When nothing is read any more. */
  async close(): Promise<void> {
    await Promise.all(Array.from(this.#open, (follower) => follower.end()));
  }
}

/** What one {@linkcode Follower} takes besides. */
interface FollowerOptions {
  readonly session: Session;
  readonly position: EventPosition;
  onEnd(): void;
}

class Follower {
  readonly #shared: FollowersOptions;
  readonly #options: FollowerOptions;
  readonly #connection: EventStream;
  #last: number;
  #watch: PulseWatch | undefined;
  #looks = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #looking: Promise<void> | undefined;

  constructor(shared: FollowersOptions, options: FollowerOptions) {
    this.#shared = shared;
    this.#options = options;
    this.#last = options.position.number;
    this.#connection = new EventStream({
      keepAlive: shared.keepAlive,
      onGone: () => this.#stop(),
    });
  }

  begin({ record, events }: StoredStream): Response {
    this.#send(events);
    if (record.done) this.#close();
    else if (this.#connection.open) {
      this.#watch = new PulseWatch(this.#shared.backend, record.owner);
      this.#wait();
    }
    return new Response(this.#connection.body, { headers: SSE_HEADERS });
  }

  async end(): Promise<void> {
    this.#close();
    await this.#looking;
  }

  #wait(): void {
    this.#timer = setTimeout(() => {
      this.#looking = this.#look();
    }, POLL_MS);
  }

  async #look(): Promise<void> {
    try {
      if (await this.#isOver()) this.#close();
    } catch (error) {
      logProcess(
        SESSIONS,
        "warning",
        "A stream of another process cannot be followed: {error}",
        { error },
      );
      // The client may come back, here or elsewhere.
      this.#close();
    }
    if (this.#connection.open) this.#wait();
  }

  async #isOver(): Promise<boolean> {
    const { session, position: { stream } } = this.#options;
    const position = { stream, number: this.#last };
    const found = await this.#shared.stored.read(session.id, position);
    if (found === undefined || session.ended) return true;
    this.#send(found.events);
    if (found.record.done) return true;
    if (++this.#looks % LOOKS_PER_PULSE !== 0) return false;
    if (!await this.#watch?.isDead()) return false;
    await this.#bury(found);
    return true;
  }

  /** Answers in place of a process that died. */
  async #bury({ record }: StoredStream): Promise<void> {
    const { session, position: { stream } } = this.#options;
    const all = await this.#shared.stored.read(
      session.id,
      { stream, number: 0 },
    );
    const open = unanswered(record.ids, all?.events ?? []);
    await this.#shared.stored.finish(session.id, stream, record);
    this.#send(open.map((id, index) => ({
      number: this.#last + 1 + index,
      message: errorMessage(
        id,
        ErrorCode.ServiceUnavailable,
        "The process that ran this call is gone; send it again",
      ),
      at: Date.now(),
    })));
  }

  /** A reader that does not keep up gets what fits, and comes back for more. */
  #send(events: readonly StreamEvent[]): void {
    for (const { number, message } of events) {
      const id = eventId(this.#options.position.stream, number);
      if (!this.#connection.send(message, id)) return this.#close();
      this.#last = number;
    }
  }

  #close(): void {
    this.#connection.close();
    this.#stop();
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#options.onEnd();
  }
}

/** The requests that no event answers. */
function unanswered(
  ids: readonly RequestId[],
  events: readonly StreamEvent[],
): RequestId[] {
  const answered = new Set<unknown>();
  for (const { message } of events) {
    const value: unknown = JSON.parse(message);
    if (isObject(value) && !("method" in value)) answered.add(value.id);
  }
  return ids.filter((id) => !answered.has(id));
}
