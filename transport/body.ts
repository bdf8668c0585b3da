import { ErrorCode } from "../errors.ts";
import { parseError, WireError } from "./json_rpc.ts";

/** How {@linkcode readJson} may read a body. */
export interface ReadJsonOptions {
  /** The most bytes it may have; 0 for no limit. */
  readonly limit: number;
  /** The `Content-Length` header. */
  readonly length: string | null;
  /** Whether the server holds bodies to their declared length. */
  readonly framed: boolean;
}

/**
 * Reads the JSON body of a request.
 *
 * @throws {WireError} -32600 with HTTP 413 when it is over the limit, of which
 * no more than a chunk is read.
 * @throws {Error} What {@linkcode bodyError} takes, when it is no JSON.
 */
export function readJson(
  request: Request,
  { limit, length, framed }: ReadJsonOptions,
): Promise<unknown> {
  // A server that holds bodies to their length has checked its form.
  const declared = framed && length !== null
    ? Number(length)
    : declaredLength(length);
  if (limit > 0 && declared !== undefined && declared > limit) {
    return refuse(request, limit);
  }
  // Reading `request.body` costs a stream; a declared length makes it needless.
  const bounded = limit === 0 || (framed && declared !== undefined);
  return bounded ? request.json() : readText(request, limit).then(JSON.parse);
}

/** The rest is not read; the server closes or drains the connection. */
async function refuse(request: Request, limit: number): Promise<never> {
  await request.body?.cancel();
  throw tooLarge(limit);
}

/** The error to answer with when a body could not be read: -32700 with HTTP 400. */
export function bodyError(error: unknown): WireError {
  if (error instanceof WireError) return error;
  // What a body that was read already, or that broke off, is refused with.
  return error instanceof TypeError
    ? parseError("the body cannot be read, or was read ahead of this server")
    : parseError();
}

/** The number a `Content-Length` header holds; `undefined` for anything else. */
function declaredLength(length: string | null): number | undefined {
  if (length === null || length === "") return undefined;
  for (let i = 0; i < length.length; i++) {
    const code = length.charCodeAt(i);
    if (code < 0x30 || code > 0x39) return undefined;
  }
  return Number(length);
}

async function readText(request: Request, limit: number): Promise<string> {
  if (request.body === null) return "";
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  // Leaving the loop early cancels the stream.
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge(limit);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function tooLarge(limit: number): WireError {
  return new WireError(
    ErrorCode.InvalidRequest,
    `Request body too large: at most ${limit} bytes are allowed`,
    { limit },
    413,
  );
}
