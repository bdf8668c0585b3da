import type { LimitStream } from "./limits.ts";
import type { Quota } from "./quota.ts";

/**
 * Makes streams count against the quotas of their callers for as long as they
 * are open. A caller that has all it may is refused before one is opened.
 */
export function limitStream(quota: Quota): LimitStream {
  return (auth, open) => {
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
  };
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
