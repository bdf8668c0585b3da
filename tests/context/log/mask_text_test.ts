import assert from "node:assert/strict";
import fc from "fast-check";
import { maskSecrets, maskText } from "../../../context/log/mask_text.ts";

const JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dBjftJeZ4CVPmB92K27uhbU";
const PEM = "-----BEGIN PRIVATE KEY-----\nMIIEvQ==\n-----END PRIVATE KEY-----";
const HEX = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
const BASE64 = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";

const SECRETS: [text: string, masked: string][] = [
  ["Bearer abc.def-123", "Bearer [REDACTED]"],
  ["bearer hunter2.", "bearer [REDACTED]."],
  ["sent Authorization: Bearer abc", "sent Authorization: [REDACTED]"],
  ["Basic dXNlcjpwYXNz failed", "Basic [REDACTED] failed"],
  ["authorization=Token abc", "authorization=[REDACTED]"],
  ["GET /a?api_key=SECRET&x=1", "GET /a?api_key=[REDACTED]&x=1"],
  ["https://h/?key=abc#x", "https://h/?key=[REDACTED]"],
  ["https://h/a?x=1&token=abc", "https://h/a?x=1&token=[REDACTED]"],
  ["https://h/#access_token=a&b=c", "https://h/#access_token=[REDACTED]&b=c"],
  [
    "https://h/a?X-Amz-Security-Token=q/q",
    "https://h/a?X-Amz-Security-Token=[REDACTED]",
  ],
  ["https://me:pw@h.example/a", "https://[REDACTED]@h.example/a"],
  ["postgres://u:p/w?@db:5432/n", "postgres://[REDACTED]@db:5432/n"],
  ["https://ghp@github.com/a", "https://[REDACTED]@github.com/a"],
  [`got ${JWT}.`, "got [REDACTED]."],
  ["key sk-1234567890abcdef.", "key [REDACTED]."],
  ["sk_live_abcdefghijklmnop", "[REDACTED]"],
  ["sk-proj-Ab3dEf6h", "[REDACTED]"],
  ["ghp_16C7e42F292c6912E7710c838347Ae178B4a", "[REDACTED]"],
  ["github_pat_11ABCDEFG0_abc", "[REDACTED]"],
  ["xoxb-123456789012-abc", "[REDACTED]"],
  ["AKIAIOSFODNN7EXAMPLE is used", "[REDACTED] is used"],
  ["AIzaSyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY", "[REDACTED]"],
  ["ya29.a0AfH6SMBxyz-abc_def", "[REDACTED]"],
  ["password=hunter2", "password=[REDACTED]"],
  ["password = hunter2, retrying", "password = [REDACTED], retrying"],
  ["password: hunter2", "password: [REDACTED]"],
  ["password: hunter", "password: [REDACTED]"],
  ["(password=p@$s;w0rd)", "(password=[REDACTED])"],
  ['pwd="with blanks" x', 'pwd="[REDACTED]" x'],
  ["secret='it\\'s' x", "secret='[REDACTED]' x"],
  ['{"clientSecret":"a b","n":1}', '{"clientSecret":"[REDACTED]","n":1}'],
  ['"{\\"token\\":\\"abc\\"}"', '"{\\"token\\":\\"[REDACTED]\\"}"'],
  ["x-api-key: abc123", "x-api-key: [REDACTED]"],
  ["API key: abc123", "API key: [REDACTED]"],
  ["OPENAI_API_KEY=abc", "OPENAI_API_KEY=[REDACTED]"],
  ["user[password]=abc", "user[password]=[REDACTED]"],
  ["run --token abc --name x", "run --token [REDACTED] --name x"],
  ["Cookie: a=b; c=d\nnext", "Cookie: [REDACTED]\nnext"],
  ["in text\\ntoken=abc", "in text\\ntoken=[REDACTED]"],
  ["in text\\nBearer abc", "in text\\nBearer [REDACTED]"],
  [`before ${PEM} after`, "before [REDACTED] after"],
  [`cut ${PEM.slice(0, 40)}`, "cut [REDACTED]"],
  [`hash ${HEX}`, "hash [REDACTED]"],
  [`key ${BASE64}`, "key [REDACTED]"],
];

const PATHS: [text: string, masked: string][] = [
  ["at /home/u/app/x.ts:1:2", "at [path]"],
  ["open '/home/u/my app/x.ts'", "open '[path]'"],
  ["open '/home/u/it", "open '[path]"],
  ["/srv/a, /opt/b/c; /tmp/d.", "[path], [path]; [path]."],
  ["(/var/log/x.log)", "([path])"],
  ["cwd=/srv/app", "cwd=[path]"],
  ["PATH=/usr/bin:/usr/local/bin", "PATH=[path]"],
  ["/Users/Jane Doe/app/x.ts is bad", "[path] is bad"],
  ["/home/ü/文.ts", "[path]"],
  ["/app.ts:3:4 failed", "[path] failed"],
  ["routes/[id].ts in /a/[id]/x.tsx", "routes/[id].ts in [path]"],
  ["'~/.ssh/id_rsa'", "'[path]'"],
  ["from file:///home/u/x.ts:1:2.", "from [path]."],
  ["file:///C:/Users/me/x.ts", "[path]"],
  ["sqlite:///home/u/x.db", "sqlite://[path]"],
  ["C:\\Users\\me\\x.ts:1:2 failed", "[path] failed"],
  ['in "C:\\Program Files\\a\\b.txt"', 'in "[path]"'],
  ["D:/code/x.ts", "[path]"],
  ['{\\"file\\":\\"C:\\\\Users\\\\me\\"}', '{\\"file\\":\\"[path]\\"}'],
  ["\\\\server\\share\\x.txt", "[path]"],
  ["text\\n/home/u/x", "text\\n[path]"],
  ["#/home/u/x", "#[path]"],
  ["DELETE /home/u/x", "DELETE [path]"],
];

const KEPT = [
  "",
  "/",
  "a / b",
  "a/b",
  "and/or, 1/2, 2024/01/02",
  "./a/b and ../c/d",
  "https://host/a/b/c.ts:1:2",
  "https://host:8080/a/b?c=d/e#/f/g",
  "https://host/{id}/users/(x)/y",
  "//cdn.example/a/b.js",
  "note:///today/list",
  "ssh://git@github.com/a/b",
  "git@github.com:a/b.git",
  "npm:@scope/pkg@1.0.0",
  "GET /users/7 failed",
  "no route for /api/items/1",
  "accepts application/json and */*",
  "</div></span>",
  "x: C:\\",
  "Bearer token required",
  "use Bearer authentication or Basic auth",
  'WWW-Authenticate: Bearer realm="x"',
  "Unexpected token: }",
  "Invalid token: expired",
  "Wrong password: must be at least 8 long",
  "password must not be empty",
  "token=null",
  "max_tokens: 4096 is too large",
  "secret: { nested: 1 }",
  "sk-learn-estimator, hf_hub_download",
  "trace 0af7651916cd43dd8448eb211c80319c",
  "id 123e4567-e89b-12d3-a456-426614174000",
  "internationalization-and-localization-of-text",
  "SomeVeryLongCamelCaseIdentifierWithVersion2InIt",
  "[REDACTED] and [path]",
  "at noon: 10:30:00",
];

for (const [text, masked] of SECRETS) {
  Deno.test(`maskText() masks the secret in ${JSON.stringify(text)}`, () => {
    assert.equal(maskText(text), masked);
    assert.equal(maskSecrets(text), masked);
  });
}

for (const [text, masked] of PATHS) {
  Deno.test(`maskText() masks the path in ${JSON.stringify(text)}`, () => {
    assert.equal(maskText(text), masked);
    assert.equal(maskSecrets(text), text);
  });
}

Deno.test.each(KEPT)("maskText() keeps %j", (text) => {
  assert.equal(maskText(text), text);
});

Deno.test("maskText() drops the frames of a stack and keeps its message", () => {
  const { stack } = new Error("boom");
  assert.equal(maskText(stack!), "Error: boom");
  assert.equal(
    maskText("a\n    at f (ext:core/x.js:1:2)\n\tat <anonymous>\nb at 10:30"),
    "a\nb at 10:30",
  );
  assert.equal(maskSecrets(stack!), stack);
});

// Pieces that mean something to the masks, to be put together in any way.
const PIECES = [
  ..."/\\@:=&?.-+,;()[]{}<>|#~ \n\t\"'`",
  ...["://", "file://", "C:\\", "/home/u", "~/", "\\n", '\\"', ":1:2"],
  ...["token", "password", "cookie", "authorization", "key", "tokens"],
  ...["Bearer ", "basic ", "digest ", "    at ", "[REDACTED]", "[path]"],
  ...["-----BEGIN ", "-----END ", "eyJ", "sk-12345678", "ghp_", "abc", "12"],
  ...["é", "😀", "\ud800", HEX, BASE64, JWT],
];

const text = fc.array(
  fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 4 })),
  { maxLength: 20 },
).map((pieces) => pieces.join(""));

for (const mask of [maskText, maskSecrets]) {
  Deno.test(`${mask.name}() twice is ${mask.name}() once`, () => {
    fc.assert(
      fc.property(text, (value) => {
        const once = mask(value);
        assert.equal(mask(once), once);
      }),
      { numRuns: 5000 },
    );
  });
}

Deno.test("maskText() leaves none of a secret, whatever stands around it", () => {
  const around = fc.array(fc.constantFrom(" ", "\n", '"', "(", "a ", "é "));
  const announced = fc.constantFrom(
    "password=",
    "?api_key=",
    "x&token=",
    "Bearer ",
    "https://u:",
  );
  const secret = fc.stringMatching(/^[A-Za-z0-9]{4,20}7$/);
  fc.assert(
    fc.property(around, announced, secret, (before, name, value) => {
      const end = name.startsWith("https") ? "@host/a" : "";
      const masked = maskText(`${before.join("")}${name}${value}${end} after`);
      assert.ok(!masked.includes(value), masked);
      assert.ok(masked.endsWith(" after"), masked);
    }),
  );
});

Deno.test("maskText() looks at each character a bounded number of times", () => {
  const repeated = [
    ...PIECES,
    "/a ",
    "'/a \"/b `/c ",
    "x://b:c/",
    "https://a:b",
    'password="',
    'password:\\"',
    "token : ",
    "eyJa.b ",
    "\n at x",
    "--token ",
    " key:",
    "/a/b c/",
    "a=b,",
  ];
  for (const piece of repeated) {
    const [short, long] = [4000, 32_000].map((length) =>
      readsOf(piece.repeat(Math.ceil(length / piece.length)))
    );
    assert.ok(
      long! < short! * 10 + 1000,
      `${JSON.stringify(piece)}: ${short} reads, then ${long}`,
    );
  }
});

/** Counts, instead of a clock, the characters that masking a text looks at. */
function readsOf(text: string): number {
  const { charCodeAt, slice, indexOf } = String.prototype;
  let reads = 0;
  String.prototype.charCodeAt = function (at) {
    reads++;
    return charCodeAt.call(this, at);
  };
  String.prototype.slice = function (start, end) {
    const part = slice.call(this, start, end);
    reads += part.length;
    return part;
  };
  String.prototype.indexOf = function (wanted, from = 0) {
    const found = indexOf.call(this, wanted, from);
    reads += (found < 0 ? this.length : found) - from;
    return found;
  };
  try {
    maskText(text);
  } finally {
    Object.assign(String.prototype, { charCodeAt, slice, indexOf });
  }
  return reads;
}
