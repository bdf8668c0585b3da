import assert from "node:assert/strict";
import type {
  HttpRequest,
  LegacyHttp,
} from "../../../transport/http_request.ts";
import { LazyLegacy } from "../../../transport/lazy_legacy.ts";

const INCOMING: HttpRequest = {
  request: new Request("http://localhost/mcp"),
  auth: undefined,
  version: null,
  mcpMethod: null,
  mcpName: null,
  served: false,
};

function era(closed: string[]): LegacyHttp {
  const answer = () => Promise.resolve(new Response(null, { status: 202 }));
  return {
    post: answer,
    get: answer,
    delete: answer,
    endStreams() {},
    close: () => Promise.resolve(void closed.push("closed")),
  };
}

Deno.test("what could not be loaded is loaded again, once for all who wait", async () => {
  const closed: string[] = [];
  let loads = 0;
  const legacy = new LazyLegacy(() => {
    if (loads++ === 0) return Promise.reject(new TypeError("not there"));
    return Promise.resolve(era(closed));
  });
  await assert.rejects(legacy.post(INCOMING, {}), /not there/);
  const answers = await Promise.all([
    legacy.post(INCOMING, {}),
    legacy.get(INCOMING),
  ]);
  assert.deepEqual(answers.map(({ status }) => status), [202, 202]);
  assert.equal(loads, 2);
  await legacy.close();
  assert.deepEqual(closed, ["closed"]);
});

Deno.test("an app closes although the load fails meanwhile", async () => {
  const load = Promise.withResolvers<LegacyHttp>();
  const legacy = new LazyLegacy(() => load.promise);
  const answer = legacy.post(INCOMING, {});
  const closing = legacy.close();
  load.reject(new TypeError("not there"));
  await assert.rejects(answer, /not there/);
  await closing;
});

Deno.test("what comes once it is loaded does not overtake those who waited for it", async () => {
  const posted: unknown[] = [];
  const loading = Promise.withResolvers<LegacyHttp>();
  const legacy = new LazyLegacy(() => loading.promise);
  const first = legacy.post(INCOMING, "first");
  const second = loading.promise.then(() => legacy.post(INCOMING, "second"));
  loading.resolve({
    ...era([]),
    post(_incoming, body) {
      posted.push(body);
      return Promise.resolve(new Response(null, { status: 202 }));
    },
  });
  await Promise.all([first, second]);
  assert.deepEqual(posted, ["first", "second"]);
});
