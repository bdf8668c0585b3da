import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { listen } from "./_listener.ts";

const SERVER = fileURLToPath(
  new URL("../../fixtures/changing_server.ts", import.meta.url),
);

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  Deno.test(`${signal} ends the streams of a server with a result, and then the server`, async () => {
    const child = new Deno.Command(Deno.execPath(), {
      args: ["serve", "--quiet", "-A", "--host=127.0.0.1", "--port=0", SERVER],
      env: { KV_FILE: ":memory:", NO_COLOR: "1" },
      stdin: "null",
      stdout: "null",
      stderr: "piped",
    }).spawn();
    const reader = child.stderr.pipeThrough(new TextDecoderStream())
      .getReader();
    let printed = "";
    let url: string | undefined;
    while (url === undefined) {
      const { done, value } = await reader.read();
      assert.ok(!done, printed);
      printed += value;
      url = /Listening on (http\S+)\s/.exec(printed)?.[1];
    }
    const remote = {
      fetch: (request: Request) => fetch(new Request(url, request)),
    };
    const filter = { toolsListChanged: true };
    const listeners = [
      await listen(remote, filter, { id: "first" }),
      await listen(remote, filter, { id: 2 }),
    ];
    for (const listener of listeners) await listener.next();
    child.kill(signal);
    for (const [index, listener] of listeners.entries()) {
      const last = await listener.next();
      assert.equal(last?.id, ["first", 2][index]);
      assert.ok(last !== undefined && "result" in last);
      assert.equal(await listener.next(), undefined);
    }
    await child.status;
    await reader.cancel();
  });
}
