/** The steps of a call of the 2026-07-28 era, and where each has its code. */

import type { StepOf } from "./cpu_profile.ts";

/** The steps, in their order, with what each is. */
export const STEPS: readonly (readonly [name: string, what: string])[] = [
  ["guard", "path, peer address, Host and Origin against the lists"],
  ["headers", "seven reads, and the runtime's copy of all for later"],
  ["body and parse", "the declared length, and request.json()"],
  ["envelope", "what kind of message it is, its _meta, its version"],
  ["header check", "the standard headers against the body"],
  ["lookup", "the tool by its name, its scopes"],
  ["validate", "the arguments, by zod"],
  ["context", "the Context: id, timestamp, who calls"],
  ["handler", "the tool itself, and its count among the running"],
  ["validate output", "what it returned, by zod"],
  ["serialize", "the result as structure and as text, and the message"],
  ["respond", "the exchange, the reply, and new Response"],
  ["garbage collection", "of everything that the call left"],
  ["runtime, JavaScript", "Deno.serve's own dispatch"],
  ["other", "what belongs to no step"],
];

const FILES: readonly (readonly [RegExp, string])[] = [
  [/transport\/(guard|create_app)\.ts$/, "guard"],
  [/20_headers\.js$/, "headers"],
  [/transport\/body\.ts$|2[23]_(body|request)\.js$/, "body and parse"],
  [/modern\/envelope\.ts$/, "envelope"],
  [/modern\/(headers|check_param_headers)\.ts$/, "header check"],
  [/run\/call\.ts$|transport\/catalog\/|modern\/serve\.ts$/, "lookup"],
  [/context\//, "context"],
  [/run\/round\.ts$|running_calls\.ts$|servers\/parley\.ts$/, "handler"],
  [
    /run\/(render_tool|render_content|result_text|enrichment)\.ts$/,
    "serialize",
  ],
  [/run\/run_tool\.ts$/, "handler"],
  [
    /transport\/(exchange|http_response)\.ts$|modern\/http(_reply)?\.ts$|23_response\.js$/,
    "respond",
  ],
  [/^ext:/, "runtime, JavaScript"],
];

const FUNCTIONS: Readonly<Record<string, string>> = {
  "(garbage collector)": "garbage collection",
  "(program)": "runtime, JavaScript",
  header: "headers",
  "get headerList": "headers",
  headerListFromHeaders: "headers",
  cacheRequestHeaders: "headers",
  isRequest: "envelope",
  classify: "envelope",
  isObject: "envelope",
  resultMessage: "serialize",
  idText: "serialize",
  wellFormed: "serialize",
};

/** The functions of transport/http.ts, whose steps are several. */
const HTTP_FUNCTIONS: Readonly<Record<string, string>> = {
  isJson: "headers",
  handle: "headers",
  answer: "envelope",
};

/** Which step a frame of the profile is part of. */
export const stepOf: StepOf = (file, name, callers) => {
  if (/\/zod\//.test(file)) {
    return callers.some((caller) => caller.startsWith("render"))
      ? "validate output"
      : "validate";
  }
  if (file.endsWith("transport/http.ts")) {
    return HTTP_FUNCTIONS[name] ?? "guard";
  }
  // What the runtime does for a step is part of the step.
  const byCaller = /^ext:|^$/.test(file) &&
    callers.some((caller) => caller === "CallContext" || caller === "refusal");
  if (byCaller && !file.endsWith("20_headers.js")) return undefined;
  return FUNCTIONS[name] ?? FILES.find(([files]) => files.test(file))?.[1];
};
