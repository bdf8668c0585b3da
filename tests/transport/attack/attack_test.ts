import assert from "node:assert/strict";
import { parseChallenge } from "../auth/_support.ts";
import { credentialAttacks } from "./_credential_attacks.ts";
import { messageAttacks } from "./_message_attacks.ts";
import { originAttacks } from "./_origin_attacks.ts";
import { scopeAttacks } from "./_scope_attacks.ts";
import { type Attack, callWith, credentials, target } from "./_target.ts";

/** Sends an attack, and then a call that has to be served as if nothing had been. */
async function withstand(attack: Attack): Promise<void> {
  const { app, ran } = target();
  const request = await attack.request();
  const { from = "127.0.0.1" } = attack;
  // In memory there is no server that holds bodies to their declared length.
  const response = await app.fetch(
    request,
    attack.from === undefined ? undefined : { remoteAddr: { hostname: from } },
  );
  const text = await response.text();
  const header = response.headers.get("www-authenticate");
  assert.equal(response.status, attack.status, text);
  assert.deepEqual(
    header === null ? undefined : parseChallenge(header),
    attack.challenge,
  );
  assert.deepEqual(ran, [], "a handler ran");
  if (attack.code !== undefined) {
    const { jsonrpc, error, result } = JSON.parse(text);
    assert.equal(jsonrpc, "2.0");
    assert.equal(result, undefined);
    assert.equal(error.code, attack.code, text);
    if (attack.message) assert.match(error.message, attack.message);
  }
  const later = await app.fetch(callWith(await credentials()));
  assert.equal(later.status, 200);
  await later.body?.cancel();
  assert.deepEqual(ran, ["read"]);
  await app.close();
}

const attacks = [
  ...credentialAttacks,
  ...scopeAttacks,
  ...originAttacks,
  ...messageAttacks,
];

for (const attack of attacks) {
  Deno.test(`refused: ${attack.name}`, () => withstand(attack));
}

Deno.test("the table of attacks names each once", () => {
  const names = attacks.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  assert(names.length >= 60);
});

Deno.test("what the attacks are refused for is what keeps a good call from nothing", async () => {
  const { app, ran } = target();
  const allowed: Request[] = [
    callWith(await credentials()),
    callWith({
      authorization: (await credentials()).authorization?.replace(
        "Bearer",
        "bearer",
      ),
    }),
    callWith({ ...await credentials(), host: "[::1]:8000" }),
    callWith({ ...await credentials(), host: "PUB.example.com:443" }),
    callWith({ ...await credentials(), origin: "http://localhost:5173" }),
    callWith({ ...await credentials(), origin: "https://page.example.com" }),
  ];
  for (const request of allowed) {
    const response = await app.fetch(request);
    assert.equal(response.status, 200);
    await response.body?.cancel();
  }
  assert.equal(ran.length, allowed.length);
  await app.close();
});
