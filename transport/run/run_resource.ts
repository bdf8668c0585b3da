import type { CacheHint } from "../../context/cache_hint.ts";
import { CallContext } from "../../context/call_context.ts";
import { issuesText } from "../../context/errors/issues.ts";
import { ErrorCode, internalError, invalidParams } from "../../errors.ts";
import type { CompiledResource } from "../catalog/compile_resource.ts";
import { matchTemplate } from "../catalog/match_template.ts";
import type { Engine } from "../engine.ts";
import type { Exchange } from "../exchange.ts";
import { isObject, type JsonObject, WireError } from "../json_rpc.ts";
import { checkHint, hintText } from "../protocol.ts";
import type { CallAnswer } from "./handler_call.ts";
import { isResourceContents, jsonOf, metaText } from "./result_text.ts";
import { runHandler, Suspension } from "./round.ts";

/** A resource, and the variables its template found in the URI. */
export interface ResourceMatch {
  /** The resource. */
  readonly resource: CompiledResource;
  /** The variables, decoded. */
  readonly variables: Record<string, string>;
}

/** Finds what a URI names: a fixed resource, or the first template that fits. */
export function findResource(
  engine: Engine,
  uri: string,
): ResourceMatch | undefined {
  const { resources, templates } = engine.catalog;
  const fixed = resources.get(uri);
  if (fixed !== undefined) return { resource: fixed, variables: {} };
  for (const resource of templates) {
    const { template } = resource;
    const variables = template && matchTemplate(template.parts, uri);
    if (variables !== undefined) return { resource, variables };
  }
  return undefined;
}

/** The error of a URI that names nothing (server, resources, error handling). */
export function resourceNotFound(exchange: Exchange, uri: string): WireError {
  return new WireError(
    notFoundCode(exchange),
    "Resource not found",
    { uri, requestId: exchange.requestId },
  );
}

// Loaded with the first failure.
let failing: typeof import("./failure.ts") | undefined;

/**
 * Reads a resource once.
 *
 * @returns The JSON of its result, or its questions.
 * @throws {WireError} When it fails.
 */
export async function runResource(
  engine: Engine,
  exchange: Exchange,
  { resource, variables }: ResourceMatch,
): Promise<CallAnswer> {
  const uri = exchange.target;
  try {
    const ctx = new CallContext(exchange);
    const params = await checkedParams(resource, variables);
    const returned = await runHandler(resource.handler, params, ctx, exchange);
    if (returned instanceof Suspension) return returned;
    return render(engine, exchange, resource, returned);
  } catch (thrown) {
    failing ??= await import("./failure.ts");
    failing.rethrowProtocolError(exchange, thrown, resource.scopes);
    const error = failing.wireFailure(exchange, thrown, notFoundCode(exchange));
    const data = isObject(error.data) ? error.data : {};
    throw new WireError(
      error.code,
      error.message,
      { ...(error.code === notFoundCode(exchange) && { uri }), ...data },
      error.status,
    );
  }
}

/** -32602 since 2026-07-28, -32002 before. */
function notFoundCode(exchange: Exchange): number {
  return exchange.era === "modern"
    ? ErrorCode.InvalidParams
    : ErrorCode.ResourceNotFound;
}

async function checkedParams(
  resource: CompiledResource,
  variables: Record<string, string>,
): Promise<unknown> {
  if (resource.validateParams === undefined) return variables;
  const outcome = await resource.validateParams(variables);
  if (outcome.issues === undefined) return outcome.value;
  throw invalidParams(
    `Invalid URI for resource "${resource.uri}": ${issuesText(outcome.issues)}`,
    { reason: "invalid_arguments" },
  );
}

function render(
  engine: Engine,
  exchange: Exchange,
  resource: CompiledResource,
  returned: unknown,
): string {
  const owner = `resource "${resource.uri}"`;
  const result = toReadResult(resource, exchange.target, returned);
  const { ttlMs, cacheScope, resultType: _, ...rest } = result;
  if (exchange.era === "legacy") return jsonOf(rest, owner);
  const { _meta, ...members } = rest;
  const own = { ttlMs, scope: cacheScope } as CacheHint;
  const text = jsonOf(members, owner).slice(1, -1);
  const hint = readHint(engine, resource, own);
  return `{"resultType":"complete",${text}${hint}${
    metaText(engine, _meta, owner)
  }}`;
}

/** The result's own hint goes before the resource's, and that before the app's. */
function readHint(
  { texts }: Engine,
  { cacheHint, uri }: CompiledResource,
  own: CacheHint,
): string {
  const declared = cacheHint === undefined
    ? texts.readHint
    : hintText(cacheHint);
  if (own.ttlMs === undefined && own.scope === undefined) return declared;
  try {
    checkHint(own, `the result of resource "${uri}"`);
  } catch (cause) {
    throw internalError((cause as Error).message, undefined, { cause });
  }
  const { ttlMs, cacheScope } = JSON.parse(`{${declared.slice(1)}}`);
  return hintText({
    ttlMs: own.ttlMs ?? ttlMs,
    scope: own.scope ?? cacheScope,
  });
}

function toReadResult(
  resource: CompiledResource,
  uri: string,
  returned: unknown,
): JsonObject & { contents: unknown } {
  if (isObject(returned) && Array.isArray(returned.contents)) {
    const { contents } = returned;
    if (contents.every(isResourceContents)) return { ...returned, contents };
    throw internalError(
      `Resource "${resource.uri}" returned contents that lack a uri, or both text and blob`,
    );
  }
  const { mimeType } = resource.definition;
  if (typeof returned === "string") {
    return contentsOf({
      uri,
      mimeType: mimeType ?? "text/plain",
      text: returned,
    });
  }
  if (returned instanceof Uint8Array) {
    const type = mimeType ?? "application/octet-stream";
    return contentsOf({ uri, mimeType: type, blob: toBase64(returned) });
  }
  if (holdsData(returned)) {
    const text = jsonOf(returned, `resource "${resource.uri}"`);
    return contentsOf({ uri, mimeType: mimeType ?? "application/json", text });
  }
  throw internalError(
    `Resource "${resource.uri}" returned neither text, bytes, a value for JSON nor a result`,
  );
}

/** Whether JSON says what a value holds; of a `Blob` or a `Map` it says nothing. */
function holdsData(value: unknown): boolean {
  if (Array.isArray(value)) return true;
  if (!isObject(value) || ArrayBuffer.isView(value)) return false;
  return Object.keys(value).length > 0 || "toJSON" in value ||
    Object.getPrototypeOf(value) === Object.prototype ||
    Object.getPrototypeOf(value) === null;
}

function contentsOf(content: JsonObject): JsonObject & { contents: unknown } {
  return { contents: [content] };
}

function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let i = 0; i < bytes.length; i += 0x8000) {
    binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  }
  return btoa(binary);
}
