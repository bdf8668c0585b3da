import assert from "node:assert/strict";
import {
  type Issue,
  issuePath,
  issuesText,
} from "../../../context/errors/issues.ts";

const PATHS: [path: Issue["path"], text: string][] = [
  [undefined, ""],
  [[], ""],
  [["a"], "a"],
  [["a", "b"], "a.b"],
  [["a", "b", 0], "a.b[0]"],
  [[0, "a"], "[0].a"],
  [[{ key: "a" }, { key: 1 }], "a[1]"],
  [["x-api", "b"], '["x-api"].b'],
  [["a", ""], 'a[""]'],
  [["a", "0"], 'a["0"]'],
  [["größe", "$ref", "_x"], "größe.$ref._x"],
  [[Symbol("s")], "[Symbol(s)]"],
];

for (const [path, text] of PATHS) {
  Deno.test(`issuePath() writes ${text === "" ? "the root" : text}`, () => {
    assert.equal(issuePath({ message: "m", path }), text);
  });
}

Deno.test("issuesText() writes one issue a line, the root's without a path", () => {
  assert.equal(
    issuesText([
      { message: "Not an object" },
      { message: "Too short", path: ["a", 0] },
    ]),
    "Not an object\na[0]: Too short",
  );
  assert.equal(issuesText([]), "");
});

Deno.test("issuesText() counts what is past fifty issues", () => {
  const issues = Array.from({ length: 60 }, (_, n) => ({
    message: "bad",
    path: ["list", n],
  }));
  const lines = issuesText(issues).split("\n");
  assert.equal(lines.length, 51);
  assert.equal(lines.at(-1), "and 10 more");
});
