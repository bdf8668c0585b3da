import type { InputRequest } from "../types.ts";
import {
  buildAskRequest,
  type ConsentRecord,
  consentRecord,
  type ConsentSpec,
  declineError,
  hashContent,
  readAnswer,
  recordsEqual,
} from "../input/mod.ts";
import { invalidRequest } from "../errors.ts";
import { keyPart } from "../state/mod.ts";
import type { Call } from "./call.ts";

/** What the round lends to {@linkcode ConsentDesk.consent}. */
export interface ConsentRoundView {
  /** The answers of this round. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** Puts the question, and leaves the handler. */
  ask(request: InputRequest): never;
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

const KEY_PREFIX = "parley.consent:";

/**
 * Writes and redeems the consent records of one run of a handler. A record is
 * in the store, under a key no handler can reach; only its random id travels.
 */
export class ConsentDesk {
  readonly #call: Call;
  /** Ids of records that were written in this run, by question. */
  readonly #asked = new Map<string, string>();
  /** Consents redeemed in this run, by question. */
  readonly #granted = new Map<string, StoredConsent>();

  constructor(call: Call) {
    this.#call = call;
  }

  /** Gives the answer of a redeemed record, or asks anew. */
  async consent(
    key: string,
    spec: ConsentSpec,
    round: ConsentRoundView,
  ): Promise<unknown> {
    const request = buildAskRequest(spec);
    const record = await this.#expected(spec);
    const stored = await this.#redeem(key, record);
    if (stored !== undefined) {
      const answers = "answer" in stored
        ? { [key]: stored.answer }
        : round.answers;
      const reading = await readAnswer(spec, key, answers);
      if (reading.status === "answered") {
        this.#granted.set(key, { ...stored, answer: answers[key] });
        return { answer: reading.value, id: stored.id };
      }
      if (reading.status !== "missing") {
        if (spec.onDecline === "return") return reading.view;
        throw declineError(key, reading.view);
      }
    }
    const id = crypto.randomUUID();
    const ttl = spec.ttl ?? 600;
    this.#asked.set(key, await this.#write({ record, id, ttl }));
    return round.ask(request);
  }

  /**
   * What has to travel to the next round. Consents that this run redeemed go
   * back to the store under new ids, so that the next run can redeem them: a
   * consent is spent by the run that finishes, and by no other.
   */
  async carry(): Promise<Record<string, string>> {
    const ids: Record<string, string> = {};
    for (const [key, stored] of this.#granted) {
      ids[KEY_PREFIX + key] = await this.#write(stored);
    }
    for (const [key, id] of this.#asked) ids[KEY_PREFIX + key] = id;
    return ids;
  }

  async #expected(spec: ConsentSpec): Promise<ConsentRecord> {
    const { auth, method, target } = this.#call;
    return consentRecord({
      operation: `${method} ${target}`,
      clientId: auth?.clientId ?? "",
      subject: auth?.sub ?? "",
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
    if (!sameCaller(stored.record, expected)) return undefined;
    const taken = await backend.commit({
      checks: [{ key: storeKey, version: entry.version }],
      deletes: [storeKey],
    });
    return taken && recordsEqual(stored.record, expected) ? stored : undefined;
  }

  async #write(stored: StoredConsent): Promise<string> {
    const id = crypto.randomUUID();
    await this.#call.services.backend.commit({
      sets: [{
        key: await this.#storeKey(id),
        value: JSON.stringify(stored),
        expiresAt: Date.now() + stored.ttl * 1000,
      }],
    });
    return id;
  }

  async #storeKey(id: string): Promise<readonly string[]> {
    const { tenantId } = this.#call;
    if (tenantId === undefined) {
      throw invalidRequest("Cannot ask for consent without a tenant");
    }
    return ["parley", "consent", await keyPart(tenantId), id];
  }
}

function sameCaller(a: ConsentRecord, b: ConsentRecord): boolean {
  return a.operation === b.operation && a.clientId === b.clientId &&
    a.subject === b.subject;
}
