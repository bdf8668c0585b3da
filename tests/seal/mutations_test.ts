import assert from "node:assert/strict";
import { mutations, splices } from "./_mutations.ts";

const TOKEN = "v1.eyJwIjoiam9iLTciLCJleHAiOjF9.AAAA-_";

Deno.test("mutations() never gives the token itself, nor one mutation twice", () => {
  const tokens = [...mutations(TOKEN)].map(({ token }) => token);
  assert.ok(!tokens.includes(TOKEN));
  assert.equal(new Set(tokens).size, tokens.length);
  assert.ok(tokens.length > 20 * TOKEN.length, `${tokens.length}`);
});

Deno.test("mutations() names each mutation in its own way", () => {
  const names = [...mutations(TOKEN)].map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
});

Deno.test("mutations() reaches each kind of change", () => {
  const tokens = new Set([...mutations(TOKEN)].map(({ token }) => token));
  const forged = btoa('{"p":"forged","exp":1}').replaceAll("=", "");
  for (
    const token of [
      "",
      TOKEN.slice(0, -1),
      TOKEN.replace("v1", "v2"),
      TOKEN.replace("-_", "+/"),
      `${TOKEN}==`,
      `${TOKEN}\n`,
      TOKEN.slice(0, -1) + "-",
      `v1.${forged}.AAAA-_`,
      `v1.AAAA-_.eyJwIjoiam9iLTciLCJleHAiOjF9`,
    ]
  ) {
    assert.ok(tokens.has(token), `${token} is missing`);
  }
});

Deno.test("splices() mixes two tokens and gives neither of them", () => {
  const other = TOKEN.replace("eyJ", "abc").replace("AAAA", "BBBB");
  const tokens = [...splices(TOKEN, other)].map(({ token }) => token);
  assert.ok(tokens.includes(TOKEN.replace("AAAA", "BBBB")));
  assert.ok(tokens.includes(TOKEN.replace("eyJ", "abc")));
  assert.ok(!tokens.includes(TOKEN) && !tokens.includes(other));
});
