import { type Requirement, test } from "./requirement.ts";

const PAGE = "basic/index";
const META = `${PAGE}, _meta`;
const SCHEMA = `${PAGE}, JSON Schema Usage`;

const ENVELOPE = "transport/modern/envelope";
const SURFACE = "transport/modern/http_surface";

/** The base protocol, versioning and discovery. */
export const BASE: readonly Requirement[] = [
  {
    id: "base-result-type",
    text: "Every result has a resultType.",
    spec: `${PAGE}, Result Responses`,
    tests: [
      test(
        ENVELOPE,
        "every result says that it is complete, and who serves it",
      ),
      test(
        ENVELOPE,
        "a question is a result of its own type, and says who asks",
      ),
      test(
        "transport/modern/listen",
        "closing the app ends each stream with an empty result, and takes no other",
      ),
    ],
  },
  {
    id: "base-ids",
    text:
      "Answers carry the id of their request, of the same type; null and fractions are no ids.",
    spec: `${PAGE}, Requests`,
    tests: [
      test(
        ENVELOPE,
        "an answer carries the id of its request, of the same type",
      ),
      test(
        ENVELOPE,
        "an id that is neither a string nor an integer is an invalid request",
      ),
    ],
  },
  {
    id: "base-error-codes",
    text:
      "No reserved code is sent but those the specification defines, and each for its purpose.",
    spec: `${PAGE}, Error Codes`,
    tests: [
      test(
        "transport/run/prompts",
        "a failing handler is a protocol error that says what it may",
      ),
      test(
        "transport/run/resources",
        "a URI that names nothing is -32602 with the URI, as is a handler's notFound",
      ),
    ],
  },
  {
    id: "base-envelope",
    text:
      "A request whose _meta lacks a field, or has one of another type, is 400 and -32602, whatever its method.",
    spec: META,
    tests: [
      test(
        ENVELOPE,
        "${what} is refused with -32602 and HTTP 400, whatever the method",
      ),
      test(
        ENVELOPE,
        "a modern header on a body without an envelope is malformed, and never served as an older revision",
      ),
    ],
  },
  {
    id: "base-order-of-checks",
    text:
      "Missing fields are told before a mismatch of headers, and that before the version.",
    spec: META,
    tests: [
      test(
        ENVELOPE,
        "missing fields are told before a header mismatch, and that before the version",
      ),
    ],
  },
  {
    id: "base-missing-capability",
    text:
      "-32021 with all missing capabilities, and 400, for tools, prompts and resources.",
    spec: META,
    tests: [
      test(
        "transport/modern/input",
        "a client that declares ${JSON.stringify(capabilities)} is asked nothing else",
      ),
      test(
        "transport/modern/input",
        "-32021 lists everything that is missing",
      ),
      test(
        "input_flow/capabilities",
        "2026-07-28: reads and prompts are refused with -32021, too",
      ),
    ],
  },
  {
    id: "base-stateless",
    text: "Nothing of a request is remembered for the next one.",
    spec: `${PAGE}, Statelessness`,
    tests: [
      test(
        ENVELOPE,
        "capabilities of one request are not remembered for the next",
      ),
    ],
  },
  {
    id: "base-server-info",
    text: "Every result says who serves it.",
    spec: META,
    tests: [
      test(
        ENVELOPE,
        "every result says that it is complete, and who serves it",
      ),
    ],
  },
  {
    id: "base-client-info",
    text:
      "Clients need not say who they are; unknown capabilities and _meta keys are tolerated.",
    spec: META,
    tests: [
      test(
        ENVELOPE,
        "clients need not say who they are, and may say more than is known",
      ),
    ],
  },
  {
    id: "base-meta-keys",
    text:
      "The _meta keys a server makes follow the syntax and its reserved prefixes.",
    spec: META,
    tests: [
      test(
        ENVELOPE,
        "every result says that it is complete, and who serves it",
      ),
      test(
        "transport/run/tools",
        "a tool without an output schema returns text, blocks, a result or nothing",
      ),
    ],
  },
  {
    id: "base-trace-context",
    text:
      "traceparent, tracestate and baggage are read as W3C writes them; malformed ones are ignored.",
    spec: META,
    tests: [
      test(
        "transport/telemetry/trace_context",
        "readRemoteParent() reads the caller's span and its flags",
      ),
      test(
        "transport/telemetry/trace_context",
        "a malformed trace context never throws",
      ),
    ],
  },
  {
    id: "base-json-schema",
    text:
      "Schemas are JSON Schema 2020-12, and none that cannot be expressed is served.",
    spec: SCHEMA,
    tests: [
      test(
        "transport/catalog/definitions",
        "schemas that cannot be expressed are refused, and the definition named",
      ),
    ],
  },
  {
    id: "base-json-schema-validation",
    text:
      "Schemas are validated by their dialect, network references are not fetched, and validation is bounded.",
    spec: SCHEMA,
    why:
      "No JSON Schema is ever evaluated: arguments are validated by the library that the schema was written in, which fetches nothing.",
  },
  {
    id: "base-icons",
    text: "Icons are sent as they are declared.",
    spec: `${PAGE}, icons`,
    tests: [
      test(
        "transport/run/tools",
        "tools are listed in their order, with all that they say of themselves",
      ),
      test(
        "transport/run/resources",
        "definitions are listed with all that they say of themselves",
      ),
    ],
  },
  {
    id: "base-unicode",
    text: "What is sent is well-formed UTF-8.",
    spec: "basic/transports/index",
    tests: [
      test(
        "transport/run/tools",
        "text that is no well-formed Unicode is made so, wherever it stands",
      ),
    ],
  },
  {
    id: "versioning-supported",
    text: "The versions that are named are those that are served.",
    spec: "basic/versioning, Protocol Version Negotiation",
    tests: [
      test(ENVELOPE, "a version that is not served is refused with what is"),
      test(
        "transport/modern/entry_points",
        "deno serve serves the default export, on one port",
      ),
    ],
  },
  {
    id: "versioning-extensions",
    text: "Where one side lacks an extension the core behaviour holds.",
    spec: "basic/versioning, Extension Negotiation",
    tests: [
      test(
        ENVELOPE,
        "clients need not say who they are, and may say more than is known",
      ),
    ],
  },
  {
    id: "versioning-dual-era",
    text:
      "An envelope selects this revision and an initialize without one the older ones, on one endpoint.",
    spec:
      "basic/versioning, Backward Compatibility with Initialization-Based Versions",
    tests: [
      test(
        SURFACE,
        "an initialize without an envelope is served as the older revisions are",
      ),
      test(
        SURFACE,
        "a modern initialize is not found, and changes nothing",
      ),
    ],
  },
  {
    id: "discover-hints",
    text: "server/discover carries caching hints.",
    spec: "server/discover, Response",
    tests: [
      test(
        "transport/run/caching",
        "every cacheable result is private and stale by default",
      ),
    ],
  },
  {
    id: "discover-shape",
    text: "server/discover gives versions, capabilities and instructions.",
    spec: "server/discover, DiscoverResult",
    tests: [
      test(
        "clients/v2_http",
        "the official client finds the server, and what it is",
      ),
    ],
  },
];
