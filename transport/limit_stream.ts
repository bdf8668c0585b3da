import type { AuthContext } from "../context/auth_context.ts";
import type { Quota } from "./limits.ts";

/**
 * Makes a stream count against the quota of its caller for as long as it is open.
 *
 * @param quota The quota; `undefined` when there is none.
 * @param open Opens the stream, or refuses it.
 * @throws {RetryLaterError} When the caller has all the streams it may.
 */
export function limitStream(
  quota: Quota | undefined,
  auth: AuthContext | undefined,
  open: () => Response | Promise<Response>,
): Response | Promise<Response> {
  if (quota === undefined) return open();
  const release = quota.take(auth);
  const refuse = (error: unknown): never => {
    release();
    throw error;
  };
  try {
    const opened = open();
    return opened instanceof Response
      ? counted(opened, release)
      : opened.then((response) => counted(response, release), refuse);
  } catch (error) {
    return refuse(error);
  }
}

function counted(response: Response, release: () => void): Response {
  const { body, headers } = response;
  if (headers.get("content-type") !== "text/event-stream" || body === null) {
    release();
    return response;
  }
  return new Response(releasing(body, release), response);
}

/** The same bytes; `release` is called when they end, in whatever way. */
function releasing(
  body: ReadableStream<Uint8Array>,
  release: () => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        release();
        controller.close();
      } catch (error) {
        release();
        controller.error(error);
      }
    },
    cancel(reason) {
      release();
      return reader.cancel(reason);
    },
  });
}
