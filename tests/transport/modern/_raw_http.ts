/** What came back over a socket. */
export interface RawAnswer {
  readonly status: number;
  /** Everything behind the head, chunk sizes included. */
  readonly body: string;
}

/**
 * Writes an HTTP/1.1 request to a socket byte for byte, which `fetch` does not
 * let one do, and reads until the server closes.
 *
 * @param lines The head, without its last, empty line.
 */
export async function rawRequest(
  port: number,
  lines: readonly string[],
  body: string | Uint8Array = "",
): Promise<RawAnswer> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  const bytes = typeof body === "string"
    ? new TextEncoder().encode(body)
    : body;
  const head = [...lines, "Connection: close", "", ""].join("\r\n");
  await writeAll(connection, Uint8Array.from(head, (c) => c.charCodeAt(0)));
  await writeAll(connection, bytes);
  const text = await new Response(readableOf(connection)).text();
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]);
  return { status, body: text.slice(text.indexOf("\r\n\r\n") + 4) };
}

function readableOf(connection: Deno.Conn): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const buffer = new Uint8Array(16_384);
      const count = await connection.read(buffer).catch(() => null);
      if (count === null) controller.close();
      else controller.enqueue(buffer.subarray(0, count));
    },
  });
}

/** Writes all bytes, or as many as the server takes before it closes. */
async function writeAll(
  connection: Deno.Conn,
  bytes: Uint8Array,
): Promise<void> {
  try {
    for (let sent = 0; sent < bytes.length;) {
      sent += await connection.write(bytes.subarray(sent));
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
  }
}
