import assert from "node:assert/strict";
import { modernRequest, read, textOf } from "./_client.ts";
import { startServer } from "./_server_process.ts";

const SERVER = new URL("_signal_server.ts", import.meta.url).href;

for (const flags of [[], ["--unstable-no-legacy-abort"]]) {
  Deno.test(`only a client that leaves aborts ctx.signal: deno run ${flags.join(" ")}`, async () => {
    await using server = await startServer(["run", "-A", ...flags, SERVER]);
    const send = (name: string, args = {}, init: RequestInit = {}) => {
      const request = modernRequest(
        "tools/call",
        { name, arguments: args },
        { meta: { progressToken: name } },
      );
      return fetch(new Request(new Request(server.url, request), init));
    };
    for (const name of ["json", "stream"]) {
      assert.equal(textOf(await read(await send(name))), "done");
    }
    await read(await send("background", { ms: 50 }));
    const client = new AbortController();
    const { body } = await send("drop", {}, { signal: client.signal });
    const reader = body!.getReader();
    await reader.read();
    client.abort();
    await assert.rejects(reader.read());
    const report = textOf(await read(await send("report")));
    assert.deepEqual(JSON.parse(report), {
      json: "not aborted",
      stream: "not aborted",
      background: "not aborted",
      drop: "aborted",
    });
    // The runtime warns of what it deprecates; nothing here is.
    assert.equal(await server.stop(), `Listening on ${server.url}\n`);
  });
}
