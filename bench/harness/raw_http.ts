/** HTTP/1.1 over a bare socket: the least a client can cost the one who measures. */

import type { HttpMessage } from "./messages.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const HEADERS_END = "\r\n\r\n";

/** The bytes of a POST to `/mcp`. */
export function requestBytes(port: number, message: HttpMessage): Uint8Array {
  const body = encoder.encode(message.body);
  const lines = [
    "POST /mcp HTTP/1.1",
    `Host: 127.0.0.1:${port}`,
    ...Object.entries(message.headers).map(([name, value]) =>
      `${name}: ${value}`
    ),
    `Content-Length: ${body.length}`,
  ];
  const head = encoder.encode(lines.join("\r\n") + HEADERS_END);
  const bytes = new Uint8Array(head.length + body.length);
  bytes.set(head);
  bytes.set(body, head.length);
  return bytes;
}

/** One answer, as text. */
export interface RawAnswer {
  /** The status code. */
  status: number;
  /** The header block. */
  head: string;
  /** The body, still in its chunks where it was sent in chunks. */
  body: string;
}

/** How long a body is, or null when it comes in chunks. */
function contentLength(head: string): number | null {
  const match = /\r\ncontent-length:\s*(\d+)/i.exec(head);
  if (match !== null) return Number(match[1]);
  return /\r\ntransfer-encoding:\s*chunked/i.test(head) ? null : 0;
}

/** One keep-alive connection that carries one request at a time. */
export class RawConnection implements Disposable {
  readonly #conn: Deno.TcpConn;
  readonly #buffer = new Uint8Array(256 * 1024);

  private constructor(conn: Deno.TcpConn) {
    this.#conn = conn;
  }

  /** Connects to a port on 127.0.0.1. */
  static async open(port: number): Promise<RawConnection> {
    const conn = await Deno.connect({ hostname: "127.0.0.1", port });
    conn.setNoDelay(true);
    return new RawConnection(conn);
  }

  /** Sends a request and waits for the whole answer. */
  async exchange(bytes: Uint8Array): Promise<RawAnswer> {
    await this.#write(bytes);
    return await this.#read((text, end, length) =>
      length === null
        ? text.endsWith("0" + HEADERS_END)
        : text.length >= end + length
    );
  }

  /** Sends a request and waits until the answer's body has begun. */
  async begin(bytes: Uint8Array): Promise<RawAnswer> {
    await this.#write(bytes);
    return await this.#read((text, end) => text.length > end);
  }

  async #write(bytes: Uint8Array): Promise<void> {
    for (let sent = 0; sent < bytes.length;) {
      sent += await this.#conn.write(bytes.subarray(sent));
    }
  }

  /** Reads until `done` says so. All measured answers are ASCII, so characters are bytes. */
  async #read(
    done: (text: string, bodyStart: number, length: number | null) => boolean,
  ): Promise<RawAnswer> {
    let text = "";
    let end = -1;
    let length: number | null = null;
    while (true) {
      const count = await this.#conn.read(this.#buffer);
      if (count === null) throw new Error("Connection closed by the server");
      text += decoder.decode(this.#buffer.subarray(0, count));
      if (end < 0) {
        const at = text.indexOf(HEADERS_END);
        if (at < 0) continue;
        end = at + HEADERS_END.length;
        length = contentLength(text.slice(0, end));
      }
      if (done(text, end, length)) {
        return {
          status: Number(text.slice(9, 12)),
          head: text.slice(0, end),
          body: text.slice(end),
        };
      }
    }
  }

  [Symbol.dispose](): void {
    this.#conn.close();
  }
}

/** Sends one message a number of times over some connections, each waiting for its answer. */
export async function sendMany(
  port: number,
  message: HttpMessage,
  count: number,
  connections = 16,
): Promise<void> {
  const bytes = requestBytes(port, message);
  let left = count;
  async function work(): Promise<void> {
    using connection = await RawConnection.open(port);
    while (left-- > 0) {
      const { status } = await connection.exchange(bytes);
      if (status !== 200) throw new Error(`Status ${status} under load`);
    }
  }
  await Promise.all(Array.from({ length: connections }, work));
}
