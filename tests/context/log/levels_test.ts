import assert from "node:assert/strict";
import {
  createLogFloor,
  getLogLevel,
  isLogLevel,
  levelRank,
  LOG_LEVELS,
  type LogLevel,
  setLogLevel,
} from "../../../context/log/levels.ts";

Deno.test("levelRank() orders the levels as RFC 5424 does", () => {
  const names = [
    "debug",
    "info",
    "notice",
    "warning",
    "error",
    "critical",
    "alert",
    "emergency",
  ];
  assert.deepEqual(LOG_LEVELS, names);
  assert.deepEqual(LOG_LEVELS.map(levelRank), [0, 1, 2, 3, 4, 5, 6, 7]);
});

Deno.test("isLogLevel() takes the eight names and nothing else", () => {
  assert.ok(LOG_LEVELS.every(isLogLevel));
  for (const other of ["loud", "INFO", "warn", "", 1, null, undefined, {}]) {
    assert.equal(isLogLevel(other), false);
  }
});

Deno.test("createLogFloor() allows its level and what is more severe", () => {
  const floor = createLogFloor("notice");
  assert.deepEqual(
    LOG_LEVELS.filter((level) => floor.allows(level)),
    LOG_LEVELS.slice(2),
  );
});

Deno.test("LogFloor.set() moves the floor of one app only", () => {
  const one = createLogFloor("info");
  const other = createLogFloor("info");
  one.set("error");
  assert.equal(one.level, "error");
  assert.equal(one.allows("warning"), false);
  assert.equal(other.allows("info"), true);
});

Deno.test("an unknown level is refused by name", () => {
  const loud = "loud" as LogLevel;
  const floor = createLogFloor("info");
  for (
    const use of [
      () => createLogFloor(loud),
      () => floor.set(loud),
      () => setLogLevel(loud),
      () => levelRank(loud),
    ]
  ) assert.throws(use, /RangeError: .*"loud".*one of debug, info/);
  assert.equal(floor.level, "info");
});

Deno.test("setLogLevel() moves every floor until it is taken back", () => {
  const before = createLogFloor("info");
  try {
    setLogLevel("debug");
    const after = createLogFloor("error");
    assert.equal(getLogLevel(), "debug");
    assert.equal(before.allows("debug"), true);
    assert.equal(after.level, "debug");

    before.set("warning");
    assert.equal(before.level, "warning", "what is set last holds");
    setLogLevel("notice");
    assert.equal(before.level, "notice");
  } finally {
    setLogLevel(undefined);
  }
  assert.equal(before.level, "warning");
  assert.equal(getLogLevel(), undefined);
});
