import { conflict } from "../../errors.ts";
import type {
  StateBackend,
  StateEntry,
  StateKey,
} from "../../state/backend.ts";
import { keyPart } from "../../state/limits.ts";
import { Session, type SessionRecord } from "./session.ts";

/** How long a session lives without being used, ms. */
const IDLE_MS = 30 * 60_000;
/** How often its expiry is put off at the most, ms. */
const TOUCH_MS = 60_000;
/** After this a session is looked up again, while it is still served, ms. */
const FRESH_MS = 350;
/** After this it is not served before it has been looked up, ms. */
const STALE_MS = 800;
/** How long the entry of a subscription is kept, ms. */
const SUBSCRIPTION_MS = 24 * 3_600_000;
/** When it is written again, ms before its end. */
const RENEW_MS = 12 * 3_600_000;
/** How many sessions are remembered before idle ones are dropped. */
const MAX_CACHED = 10_000;
/** After how many new sessions those that have expired are dropped. */
const SWEEP = 100;
/** How often a change is tried when others change the session too. */
const ATTEMPTS = 20;

const SESSION_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Resources that a session subscribes to, or no longer does. */
export interface SubscriptionChange {
  /** Their URIs. */
  readonly subscribe?: readonly string[] | undefined;
  /** Their URIs. */
  readonly unsubscribe?: readonly string[] | undefined;
}

/**
 * The sessions of an app. They are kept in the state backend, so that every
 * process on it can serve them; each process remembers those it serves, and
 * looks at the store again often enough that a session which was ended
 * elsewhere is refused within a second.
 */
export class SessionStore {
  readonly #backend: StateBackend;
  readonly #onEnd: (session: Session) => void;
  readonly #sessions = new Map<string, Session>();
  readonly #background = new Set<Promise<void>>();
  #sinceSweep = 0;
  /** The store's word counts for a while longer: others may use a session too. */
  readonly #slack: number;

  /**
   * @param backend Where they are kept.
   * @param onEnd Called when a session is over.
   */
  constructor(backend: StateBackend, onEnd: (session: Session) => void) {
    this.#backend = backend;
    this.#onEnd = onEnd;
    this.#slack = backend.shared ? TOUCH_MS : 0;
  }

  /** Opens a session. */
  async create(record: SessionRecord): Promise<Session> {
    const id = crypto.randomUUID();
    await this.#backend.commit({ sets: [this.#entryOf(id, record)] });
    const session = new Session(id, record, "");
    session.touchedAt = Date.now();
    return this.#remember(session);
  }

  /**
   * Finds a session. One that was used a moment ago costs nothing.
   *
   * @param principal Who asks; the sessions of others are not found.
   */
  find(
    id: string,
    principal: string,
  ): Session | undefined | Promise<Session | undefined> {
    const session = this.#sessions.get(id);
    if (session === undefined) return this.#load(id, principal);
    const now = Date.now();
    if (this.#slack === 0 && now - session.seenAt >= IDLE_MS) {
      return this.#expire(session);
    }
    const age = now - session.checkedAt;
    if (age > STALE_MS) {
      return this.#check(session).then((found) => ownedBy(found, principal));
    }
    if (age > FRESH_MS) this.#inBackground(this.#check(session));
    session.seenAt = now;
    return ownedBy(session, principal);
  }

  /** The session, if this process remembers it. */
  known(id: string): Session | undefined {
    return this.#sessions.get(id);
  }

  /**
   * Changes what is stored of a session.
   *
   * @param change Gives the new record, from the one stored now.
   * @param entries The entries of subscriptions that are written or deleted.
   * @returns Whether there is such a session still.
   * @throws {McpError} `conflict` when others keep changing it.
   */
  async update(
    session: Session,
    change: (record: SessionRecord) => SessionRecord,
    entries: SubscriptionChange = {},
  ): Promise<boolean> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const [entry] = await this.#backend.get([keyOf(session.id)]);
      if (entry === null || entry === undefined) {
        this.forget(session);
        return false;
      }
      const record = change(recordOf(entry));
      const written = await this.#backend.commit({
        checks: [{ key: entry.key, version: entry.version }],
        sets: [
          this.#entryOf(session.id, record),
          ...await this.#subscribers(session.id, entries.subscribe ?? []),
        ],
        deletes: await subscriberKeys(session.id, entries.unsubscribe ?? []),
      });
      if (!written) {
        await pause(attempt);
        continue;
      }
      session.touchedAt = Date.now();
      session.renew(record, session.etag);
      session.checkedAt = 0;
      return true;
    }
    throw conflict("The session is changed by too many at once");
  }

  /** Ends a session, for every process. */
  async end(session: Session): Promise<void> {
    this.forget(session);
    await this.#backend.commit({
      deletes: [
        keyOf(session.id),
        ...await subscriberKeys(session.id, session.record.subscriptions),
      ],
    });
  }

  /** Ends what a session does in this process. */
  forget(session: Session): void {
    this.#sessions.delete(session.id);
    if (session.ended) return;
    session.end();
    this.#onEnd(session);
  }

  /** The ids of the sessions that want to hear of a resource. */
  async *subscribers(uri: string): AsyncGenerator<string> {
    const prefix = ["parley", "subscriber", await keyPart(uri)];
    const limit = 1_000;
    let after = "";
    for (;;) {
      const page = await this.#backend.list({
        prefix,
        limit,
        ...(after !== "" && { after }),
      });
      for (const { key } of page) yield after = key.at(-1)!;
      if (page.length < limit) return;
    }
  }

  /** Resolves when nothing is read or written any more. */
  async close(): Promise<void> {
    while (this.#background.size > 0) await Promise.all(this.#background);
  }

  async #load(id: string, principal: string): Promise<Session | undefined> {
    if (!SESSION_ID.test(id)) return undefined;
    const [entry] = await this.#backend.get([keyOf(id)]);
    if (entry === null || entry === undefined) return undefined;
    const record = recordOf(entry);
    // Only its owner makes this process remember a session.
    if (record.principal !== principal) return undefined;
    const known = this.#sessions.get(id);
    if (known !== undefined) return known;
    const session = this.#remember(new Session(id, record, entry.version));
    // The entry says when its expiry was put off.
    session.touchedAt = (entry.expiresAt ?? 0) - IDLE_MS - this.#slack;
    this.#touchIfDue(session);
    return session;
  }

  #check(session: Session): Promise<Session | undefined> {
    return session.checking ??= this.#lookAgain(session).finally(() => {
      session.checking = undefined;
    });
  }

  async #lookAgain(session: Session): Promise<Session | undefined> {
    const now = Date.now();
    const [entry] = await this.#backend.get([keyOf(session.id)]);
    if (entry === null || entry === undefined) {
      this.forget(session);
      return undefined;
    }
    if (entry.version !== session.etag) {
      session.renew(recordOf(entry), entry.version);
    }
    session.checkedAt = now;
    session.seenAt = now;
    this.#touchIfDue(session);
    return session;
  }

  /** Puts the expiry off; nobody waits for it. */
  #touchIfDue(session: Session): void {
    const now = Date.now();
    if (now - session.touchedAt < TOUCH_MS) return;
    session.touchedAt = now;
    const { subscriptions, subscribedUntil } = session.record;
    const renew = subscriptions.length > 0 && subscribedUntil - now < RENEW_MS
      ? subscriptions
      : [];
    const touched = this.update(
      session,
      (record) =>
        renew.length === 0
          ? record
          : { ...record, subscribedUntil: now + SUBSCRIPTION_MS },
      { subscribe: renew },
    );
    this.#inBackground(touched.catch(() => {
      session.touchedAt = 0;
    }));
  }

  #expire(session: Session): undefined {
    this.#inBackground(this.end(session));
    return undefined;
  }

  /** Nobody waits for it but {@linkcode SessionStore.close}. */
  #inBackground(work: Promise<unknown>): void {
    const done = work.then(() => {}, () => {}).then(() => {
      this.#background.delete(done);
    });
    this.#background.add(done);
  }

  #remember(session: Session): Session {
    session.checkedAt = session.seenAt = Date.now();
    if (++this.#sinceSweep >= SWEEP) this.#dropExpired();
    if (this.#sessions.size >= MAX_CACHED) this.#dropIdle();
    this.#sessions.set(session.id, session);
    return session;
  }

  /** Forgets sessions that were not used for so long that they have expired. */
  #dropExpired(): void {
    this.#sinceSweep = 0;
    const oldest = Date.now() - IDLE_MS - this.#slack;
    for (const [id, { seenAt, calls, listeners }] of this.#sessions) {
      if (seenAt < oldest && calls.size + listeners === 0) {
        this.#sessions.delete(id);
      }
    }
  }

  /** Forgets sessions that do nothing here; the store keeps them. */
  #dropIdle(): void {
    for (const [id, { calls, streams, listeners }] of this.#sessions) {
      if (calls.size + streams.size + listeners === 0) {
        this.#sessions.delete(id);
      }
      if (this.#sessions.size <= MAX_CACHED / 2) return;
    }
  }

  #entryOf(
    id: string,
    record: SessionRecord,
  ): { key: StateKey; value: string; expiresAt: number } {
    return {
      key: keyOf(id),
      value: JSON.stringify(record),
      expiresAt: Date.now() + IDLE_MS + this.#slack,
    };
  }

  async #subscribers(
    id: string,
    uris: readonly string[],
  ): Promise<{ key: StateKey; value: string; expiresAt: number }[]> {
    const expiresAt = Date.now() + SUBSCRIPTION_MS;
    const keys = await subscriberKeys(id, uris);
    return keys.map((key) => ({ key, value: "1", expiresAt }));
  }
}

/** Waits a random time that grows, so that rivals fall out of step. */
function pause(attempt: number): Promise<void> {
  const longest = Math.min(50, 2 ** attempt);
  return new Promise((resolve) => {
    setTimeout(resolve, Math.random() * longest);
  });
}

function keyOf(id: string): StateKey {
  return ["parley", "session", id];
}

function subscriberKeys(
  id: string,
  uris: readonly string[],
): Promise<StateKey[]> {
  return Promise.all(
    uris.map(async (uri) => ["parley", "subscriber", await keyPart(uri), id]),
  );
}

function recordOf(entry: StateEntry): SessionRecord {
  return JSON.parse(entry.value);
}

/** Someone else's session is as good as none. */
function ownedBy(
  session: Session | undefined,
  principal: string,
): Session | undefined {
  return session?.record.principal === principal ? session : undefined;
}
