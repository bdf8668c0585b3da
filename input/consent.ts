import type {
  InferOutput,
  StandardSchemaV1,
  StandardSchemaWithJSON,
} from "../types.ts";
import { canonicalJson } from "../seal/request_binding.ts";
import type { AskOptions, DeclinedView, Exactly } from "./ask.ts";
import { isJsonObject, ownValue } from "./_json_schema.ts";

/** What `ctx.consent` asks, and what the answer is bound to. */
export interface ConsentSpec<
  S extends StandardSchemaWithJSON = StandardSchemaWithJSON,
> extends AskOptions {
  /** What the person is asked. Say what will be done, and to what. */
  message: string;
  /** The fields of the form. */
  schema: S;
  /** What will be acted on, such as a path. Consent to one is no consent to another. */
  target: string;
  /**
   * What the target holds now: any JSON value, or bytes. Only its SHA-256 is
   * kept. When it has changed by the time the answer comes, the question is
   * put again.
   *
   * @default undefined
   */
  content?: unknown;
  /**
   * How long the question can be answered, in seconds. It starts anew with
   * every further question of the same call. Where request state is sealed, its
   * own lifetime, 900 seconds unless set, is a limit, too.
   *
   * @default 600
   */
  ttl?: number;
}

/** A consent that was given and redeemed. */
export interface Consent<
  S extends StandardSchemaV1 = StandardSchemaV1,
> {
  /** The validated answer. Giving one is not the same as saying yes. */
  answer: InferOutput<S>;
  /**
   * The id of the consent, the same in every run of the handler until the call
   * has its result. Pass it on as the idempotency key of what is done upstream.
   */
  id: string;
}

/** What `ctx.consent` gives for a question, refusals included. */
export type ConsentResult<C extends ConsentSpec = ConsentSpec> =
  | Consent<C["schema"]>
  | (C extends { onDecline: "return" } ? DeclinedView : never);

/**
 * The type of `ctx.consent`: puts a question and returns only when the record
 * made for it was redeemed, by the same caller, for the same operation on the
 * same target with the same content. Anything else is a fresh question: a
 * record that was used, that has expired, or that is somebody else's, and an
 * answer that nobody asked for.
 *
 * A record is taken out of the store before the answer is given, so of any
 * number of retries one gets it, in however many processes on one store. A
 * process that dies behind that takes the consent with it: it counts **at most
 * once**, and the person is asked again.
 *
 * A run that asks something else afterwards gives the consent back, for the
 * next run to redeem. So **act when nothing is left to ask**; what is done
 * before another question is done once in each round.
 *
 * The person decides on `target` and `content`, and only these are held to what
 * is there when the answer comes: put into them whatever the message shows.
 */
export interface ConsentFunction {
  /**
   * Asks for consent.
   *
   * @param key Tells the question from the others of this call.
   * @param spec The question, and what it is about.
   * @throws {McpError} `validationError` with `data.reason` `"input_declined"`
   * or `"input_cancelled"`, unless `onDecline` is `"return"`.
   * @throws {McpError} `validationError` when `ttl` is no positive number of
   * seconds; `invalidRequest` when the caller has no tenant.
   * @throws {TypeError} When the question cannot be expressed, the content is
   * neither JSON nor bytes, or the key stands for another question of this
   * call or begins with `parley.`.
   */
  <C extends ConsentSpec>(
    key: string,
    spec: Exactly<C, keyof ConsentSpec>,
  ): Promise<ConsentResult<C>>;
}

/** What the server keeps of a question that asks for consent. */
export interface ConsentRecord {
  /** What was to be done: the tool, or the URI of the resource. */
  operation: string;
  /** The client that was asked; empty without authentication. */
  clientId: string;
  /** The person that was asked; empty without authentication. */
  subject: string;
  /** What was to be acted on. */
  target: string;
  /** The hash of what it held; empty when nothing was given. */
  contentHash: string;
}

/** What {@linkcode consentRecord} takes. */
export interface ConsentRecordParts {
  /** What is to be done: the tool, or the URI of the resource. */
  operation: string;
  /** The authenticated client, if there is one. */
  clientId?: string | undefined;
  /** The authenticated subject, if there is one. */
  subject?: string | undefined;
  /** What is to be acted on. */
  target: string;
  /** The hash of what it holds, from {@linkcode hashContent}. */
  contentHash: string;
}

/** Makes the record of a question that asks for consent. */
export function consentRecord(parts: ConsentRecordParts): ConsentRecord {
  const { operation, clientId = "", subject = "", target, contentHash } = parts;
  return { operation, clientId, subject, target, contentHash };
}

const FIELDS: readonly (keyof ConsentRecord)[] = [
  "operation",
  "clientId",
  "subject",
  "target",
  "contentHash",
];

/**
 * Tells whether a stored value is the record of exactly this question. What is
 * no record, or has a member more, is not.
 *
 * @param stored What was taken from the store, if anything.
 * @param expected The record of the question that is put now.
 */
export function recordsEqual(
  stored: unknown,
  expected: ConsentRecord,
): boolean {
  return isJsonObject(stored) &&
    Object.keys(stored).length === FIELDS.length &&
    FIELDS.every((field) => ownValue(stored, field) === expected[field]);
}

/**
 * Hashes what the target of a consent holds, with SHA-256: `json:` or `bytes:`
 * and 64 hexadecimal digits, so that the two never meet. A JSON value hashes
 * the same however its keys are ordered. `undefined`, which is no content,
 * gives the empty string.
 *
 * @param content A JSON value, an `ArrayBuffer` or a view of one.
 * @throws {TypeError} When it is neither.
 */
export async function hashContent(content: unknown): Promise<string> {
  if (content === undefined) return "";
  return isBytes(content)
    ? `bytes:${await sha256(content)}`
    : `json:${await sha256(new TextEncoder().encode(canonicalJson(content)))}`;
}

function isBytes(content: unknown): content is BufferSource {
  return content instanceof ArrayBuffer || ArrayBuffer.isView(content);
}

async function sha256(bytes: BufferSource): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}
