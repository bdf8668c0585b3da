import { isObject, type JsonObject } from "../json_rpc.ts";

/** Reads the messages of a response, each as soon as it is there. */
export async function* messagesOf(
  response: Response,
): AsyncGenerator<JsonObject> {
  const type = response.headers.get("content-type") ?? "";
  if (!type.startsWith("text/event-stream")) {
    const text = await response.text();
    const value: unknown = text.startsWith("{") ? JSON.parse(text) : undefined;
    if (isObject(value)) yield value;
    return;
  }
  let rest = "";
  const text = response.body?.pipeThrough(new TextDecoderStream());
  for await (const chunk of text ?? []) {
    const events = (rest + chunk).split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events) {
      const data = event.split("\n")
        .filter((line) => line.startsWith("data:"))
        .map((line) => line.slice("data:".length).trimStart())
        .join("\n");
      // An event without data says from where to resume, and nothing else.
      if (data !== "") yield JSON.parse(data);
    }
  }
}
