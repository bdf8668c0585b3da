/**
 * What the runtime itself can do over stdio: parses each line, and answers the
 * lines of a chunk in one write, which is more than ten times as fast as a
 * write a line.
 */

interface Message {
  id?: number;
  params?: { arguments?: { message: string } };
}

const encoder = new TextEncoder();

function answer(line: string): string {
  const message = JSON.parse(line) as Message;
  const value = { message: message.params?.arguments?.message };
  return JSON.stringify({
    jsonrpc: "2.0",
    id: message.id,
    result: {
      content: [{ type: "text", text: JSON.stringify(value) }],
      structuredContent: value,
      resultType: "complete",
      _meta: {
        "io.modelcontextprotocol/serverInfo": {
          name: "bench",
          version: "1.0.0",
        },
      },
    },
  }) + "\n";
}

async function write(text: string): Promise<void> {
  const bytes = encoder.encode(text);
  for (let sent = 0; sent < bytes.length;) {
    sent += await Deno.stdout.write(bytes.subarray(sent));
  }
}

let rest = "";
for await (
  const chunk of Deno.stdin.readable.pipeThrough(new TextDecoderStream())
) {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop()!;
  if (lines.length > 0) await write(lines.map(answer).join(""));
}
