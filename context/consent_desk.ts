import { invalidRequest } from "../errors.ts";
import {
  type ConsentRecord,
  consentRecord,
  hashContent,
  recordsEqual,
} from "../input/consent.ts";
import type { ConsentSpec } from "../input/mod.ts";
import { declineError, readAnswer } from "../input/read_answer.ts";
import { CONSENT_TTL_SECONDS } from "../input/responses.ts";
import type { StateSet } from "../state/backend.ts";
import { keyPart } from "../state/limits.ts";
import { expiryOf } from "../state/value.ts";
import type { InputRequest } from "../types.ts";
import type { Call } from "./call.ts";
import { RESERVED_KEYS } from "./open_questions.ts";

/** What the round lends to {@linkcode ConsentDesk.consent}. */
export interface ConsentRoundView {
  /** The answers of this round. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** The question, which was noted. */
  readonly request: InputRequest;
  /** Puts the question, and leaves the handler. */
  ask(): never;
}

/** A record in the store: what was asked, and the answer once there is one. */
interface StoredConsent {
  readonly record: ConsentRecord;
  /** For the upstream; stays the same while the consent travels on. */
  readonly id: string;
  /** The raw answer, when a round after the answer asked something else. */
  readonly answer?: unknown;
  /** How long the record is kept, in seconds. */
  readonly ttl: number;
}

/** A question of this run, and what became of it. */
interface PutConsent {
  readonly record: ConsentRecord;
  readonly outcome: Promise<unknown>;
}

const KEY_PREFIX = `${RESERVED_KEYS}consent:`;

/**
 * Writes and redeems the consent records of one run of a handler. A record is
 * in the store, under a key no handler can reach; only its random id travels.
 *
 * A record is taken out of the store, in one atomic step, before the consent it
 * stands for is given to the handler. A run that then suspends puts a new one
 * in its place; so there is never more than one to redeem, and a process that
 * dies in between leaves none: the consent counts at most once.
 */
export class ConsentDesk {
  readonly #call: Call;
  /** The questions of this run, by key. */
  readonly #put = new Map<string, PutConsent>();
  /** What has to be in the store when this run suspends, by key. */
  readonly #standing = new Map<string, StoredConsent>();

  constructor(call: Call) {
    this.#call = call;
  }

  /** Gives the answer of a redeemed record, or asks anew. */
  async consent(
    key: string,
    spec: ConsentSpec,
    round: ConsentRoundView,
  ): Promise<unknown> {
    if (typeof spec.target !== "string") {
      throw new TypeError(
        `Cannot ask for consent "${key}": its target is of type ${typeof spec
          .target}, want a string`,
      );
    }
    const ttl = spec.ttl ?? CONSENT_TTL_SECONDS;
    // Refuses one that is no positive number of seconds.
    expiryOf(ttl, 0);
    // Without a tenant there is no place for a record.
    this.#tenant();
    const record = await this.#expected(key, spec);
    const earlier = this.#put.get(key);
    if (earlier !== undefined) {
      if (recordsEqual(earlier.record, record)) return earlier.outcome;
      throw new TypeError(
        `Cannot ask for consent "${key}" to two things in the same call; give each question a key of its own`,
      );
    }
    const outcome = this.#settle(key, spec, { record, ttl }, round);
    this.#put.set(key, { record, outcome });
    return outcome;
  }

  async #settle(
    key: string,
    spec: ConsentSpec,
    { record, ttl }: { record: ConsentRecord; ttl: number },
    round: ConsentRoundView,
  ): Promise<unknown> {
    const stored = await this.#redeem(key, record);
    if (stored !== undefined) {
      // Of an answer given in an earlier round only the store can tell.
      const answers = "answer" in stored
        ? { [key]: stored.answer }
        : round.answers;
      const reading = await readAnswer(spec, key, answers);
      if (reading.status !== "missing") {
        this.#standing.set(key, { ...stored, answer: answers[key] });
      }
      if (reading.status === "answered") {
        return { answer: reading.value, id: stored.id };
      }
      if (reading.status !== "missing") {
        if (spec.onDecline === "return") return reading.view;
        throw declineError(key, reading.view);
      }
    }
    this.#standing.set(key, { record, id: crypto.randomUUID(), ttl });
    return round.ask();
  }

  /**
   * What has to travel to the next round: the ids of records that are written
   * now, in one step. Among them are those of consents that this run redeemed,
   * so that the next run can: a consent is spent by the run that finishes, and
   * by no other. Those that this run did not come to travel on as they are.
   */
  carry(): Record<string, string> | Promise<Record<string, string>> {
    const ids: Record<string, string> = {};
    for (const [name, id] of Object.entries(this.#call.carriedAnswers)) {
      if (!name.startsWith(KEY_PREFIX) || typeof id !== "string") continue;
      if (!this.#put.has(name.slice(KEY_PREFIX.length))) ids[name] = id;
    }
    return this.#standing.size === 0 ? ids : this.#write(ids);
  }

  async #write(ids: Record<string, string>): Promise<Record<string, string>> {
    const sets: StateSet[] = [];
    for (const [key, stored] of this.#standing) {
      const id = crypto.randomUUID();
      ids[KEY_PREFIX + key] = id;
      sets.push({
        key: await this.#storeKey(id),
        value: JSON.stringify(stored),
        expiresAt: expiryOf(stored.ttl, Date.now())!,
      });
    }
    await this.#call.services.backend.commit({ sets });
    return ids;
  }

  async #expected(key: string, spec: ConsentSpec): Promise<ConsentRecord> {
    const { auth, method, target } = this.#call;
    return consentRecord({
      // Two issuers may have a subject of the same name.
      operation: JSON.stringify([method, target, key, auth?.issuer ?? null]),
      clientId: auth?.clientId,
      subject: auth?.sub,
      target: spec.target,
      contentHash: await hashContent(spec.content),
    });
  }

  /** Takes the record the client names, if it is for this very question. */
  async #redeem(
    key: string,
    expected: ConsentRecord,
  ): Promise<StoredConsent | undefined> {
    const id = this.#call.carriedAnswers[KEY_PREFIX + key];
    // The id comes from the client wherever nothing is sealed.
    if (typeof id !== "string" || !/^[0-9a-f-]{36}$/.test(id)) return undefined;
    const { backend } = this.#call.services;
    const storeKey = await this.#storeKey(id);
    const [entry] = await backend.get([storeKey]);
    if (entry === null || entry === undefined) return undefined;
    const stored = JSON.parse(entry.value) as StoredConsent;
    // Someone else's record stays: the one who was asked can still redeem it.
    if (!isOfSameCaller(stored.record, expected)) return undefined;
    const taken = await backend.commit({
      checks: [{ key: storeKey, version: entry.version }],
      deletes: [storeKey],
    });
    return taken && recordsEqual(stored.record, expected) ? stored : undefined;
  }

  async #storeKey(id: string): Promise<readonly string[]> {
    return ["parley", "consent", await keyPart(this.#tenant()), id];
  }

  #tenant(): string {
    const { tenantId } = this.#call;
    if (tenantId !== undefined) return tenantId;
    throw invalidRequest(
      "Cannot ask for consent without a tenant: the caller's credentials name none",
    );
  }
}

function isOfSameCaller(a: ConsentRecord, b: ConsentRecord): boolean {
  return a.operation === b.operation && a.clientId === b.clientId &&
    a.subject === b.subject;
}
