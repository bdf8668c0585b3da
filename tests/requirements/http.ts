import { type Requirement, test } from "./requirement.ts";

const PAGE = "basic/transports/streamable-http";
const SECURITY = `${PAGE}, Security & Endpoint`;
const SENDING = `${PAGE}, Sending Messages`;
const RECEIVING = `${PAGE}, Receiving Messages`;
const VALIDATION = `${PAGE}, Server Validation`;
const ENCODING = `${PAGE}, Value Encoding`;
const PARAMS = `${PAGE}, Server Behavior for Custom Headers`;
const SCHEMA = `${PAGE}, Schema Extension`;
const EARLIER = `${PAGE}, Earlier Streamable HTTP Revisions`;

const REBINDING = "transport/modern/rebinding";
const SURFACE = "transport/modern/http_surface";
const HEADERS = "transport/modern/headers";
const PARAM_HEADERS = "transport/modern/param_headers";
const ANNOTATIONS = "transport/catalog/header_annotations";
const DISCONNECT = "transport/modern/disconnect";
const ENVELOPE = "transport/modern/envelope";
const BODY = "transport/modern/body";

/** Streamable HTTP. */
export const HTTP: readonly Requirement[] = [
  {
    id: "http-origin-403",
    text:
      "A request with an Origin that is not allowed is answered 403, whatever its Host.",
    spec: SECURITY,
    tests: [test(REBINDING, "${what} is forbidden before anything is read")],
  },
  {
    id: "http-localhost",
    text: "A server that runs locally listens on loopback only.",
    spec: SECURITY,
    tests: [
      test(
        REBINDING,
        "a listening server binds loopback, and goes by the Host it is sent",
      ),
    ],
  },
  {
    id: "http-authenticates",
    text: "A server can authenticate every request.",
    spec: SECURITY,
    tests: [
      test(
        "transport/auth_app",
        "a definition's scopes are checked before its handler, and all of them named",
      ),
    ],
  },
  {
    id: "http-get-delete-405",
    text: "GET and DELETE of this revision are answered 405.",
    spec: EARLIER,
    tests: [test(SURFACE, "other HTTP methods are not allowed")],
  },
  {
    id: "http-no-sessions",
    text:
      "Mcp-Session-Id and Last-Event-ID are ignored, and no session is given out.",
    spec: EARLIER,
    tests: [
      test(
        SURFACE,
        "session and resumption headers mean nothing, and none come back",
      ),
    ],
  },
  {
    id: "http-notification-202",
    text: "An accepted notification is answered 202 without a body.",
    spec: SENDING,
    tests: [
      test(
        SURFACE,
        "a notification is accepted with 202 and no body, known or not",
      ),
    ],
  },
  {
    id: "http-one-message",
    text:
      "A body is one request or notification: batches and responses are refused.",
    spec: SENDING,
    tests: [
      test(SURFACE, "a batch is refused, and nothing in it runs"),
      test(SURFACE, "a posted response is refused"),
    ],
  },
  {
    id: "http-parse-error",
    text:
      "What is no JSON is -32700, what is no request -32600, each with an error status.",
    spec: "basic/index, Error Codes",
    tests: [
      test(BODY, "what is no JSON is a parse error"),
      test(
        ENVELOPE,
        "a message that is no request is answered and told why",
      ),
      test(
        BODY,
        "any JSON value as a body gets a well-formed answer, and leaves the server serving",
      ),
    ],
  },
  {
    id: "http-accept",
    text:
      "A client that takes no event stream gets plain JSON; Accept may be missing.",
    spec: SENDING,
    tests: [
      test(
        SURFACE,
        "a client that takes no event stream gets the answer alone",
      ),
      test(
        SURFACE,
        "an answer is one line of JSON when nothing is sent ahead of it",
      ),
    ],
  },
  {
    id: "http-content-type",
    text: "A request body has to be JSON by its content type.",
    spec: SENDING,
    tests: [
      test(
        SURFACE,
        "bodies are JSON by their content type, or refused unread",
      ),
    ],
  },
  {
    id: "http-answer-types",
    text:
      "A request is answered with one JSON object or an event stream, and nothing else.",
    spec: SENDING,
    tests: [
      test(
        SURFACE,
        "an answer is one line of JSON when nothing is sent ahead of it",
      ),
      test(
        SURFACE,
        "an answer with progress is an event stream that its response ends",
      ),
    ],
  },
  {
    id: "http-stream-ends",
    text: "The response ends its stream, which proxies are told not to buffer.",
    spec: RECEIVING,
    tests: [
      test(
        SURFACE,
        "an answer with progress is an event stream that its response ends",
      ),
    ],
  },
  {
    id: "http-keep-alive",
    text: "Long streams are kept alive by comment lines.",
    spec: RECEIVING,
    tests: [
      test(DISCONNECT, "keep-alives are comments, and never events"),
      test(
        "transport/modern/listen",
        "an idle stream is kept alive by comments, which stop with it",
      ),
    ],
  },
  {
    id: "http-own-notifications",
    text: "A stream carries notifications of its own request only.",
    spec: RECEIVING,
    tests: [
      test(
        SURFACE,
        "twelve calls at once with one id each get their own answer and progress",
      ),
      test(
        "transport/modern/logging",
        "messages stay with the call that logged them",
      ),
    ],
  },
  {
    id: "http-no-requests",
    text:
      "No stream carries a JSON-RPC request or an event that could be resumed.",
    spec: RECEIVING,
    tests: [
      test(
        SURFACE,
        "an answer with progress is an event stream that its response ends",
      ),
      test(
        "transport/modern/input",
        "questions of all four kinds go out in one result, and nothing else does",
      ),
    ],
  },
  {
    id: "http-cancel",
    text:
      "Closing the stream cancels the request: work is told to stop, and nothing more is sent.",
    spec: `${PAGE}, Cancellation`,
    tests: [
      test(
        DISCONNECT,
        "closing the stream cancels the call, and nothing more is sent",
      ),
      test(
        DISCONNECT,
        "a client that leaves before anything was sent cancels the call",
      ),
      test(
        "transport/modern/signal",
        'only a client that leaves aborts ctx.signal: deno run ${flags.join(" ")}',
      ),
    ],
  },
  {
    id: "http-version-header",
    text:
      "A missing version header, or one unlike the body, is 400 and -32020.",
    spec: `${PAGE}, Protocol Version Header`,
    tests: [
      test(
        HEADERS,
        "${what} is a header mismatch, and the tool does not run",
      ),
    ],
  },
  {
    id: "http-unsupported-version",
    text:
      "A version that is not served, known or not, is 400 and -32022 with those that are.",
    spec: `${PAGE}, Protocol Version Header`,
    tests: [
      test(ENVELOPE, "a version that is not served is refused with what is"),
    ],
  },
  {
    id: "http-unknown-method",
    text: "An unknown method is 404 and -32601.",
    spec: `${PAGE}, Protocol Version Header`,
    tests: [
      test(
        ENVELOPE,
        "methods of older revisions and unknown ones are not found",
      ),
    ],
  },
  {
    id: "http-standard-headers",
    text:
      "Mcp-Method and Mcp-Name are required and held against the body: 400 and -32020.",
    spec: VALIDATION,
    tests: [
      test(
        HEADERS,
        "${what} is a header mismatch, and the tool does not run",
      ),
    ],
  },
  {
    id: "http-name-of-all",
    text:
      "Mcp-Name is held against the URI of a read and the name of a prompt, too.",
    spec: VALIDATION,
    tests: [
      test(HEADERS, "prompts and resources are held to their name header too"),
    ],
  },
  {
    id: "http-name-encoded",
    text:
      "A Mcp-Name in Base64 is decoded before it is compared; its markers are case-sensitive.",
    spec: ENCODING,
    tests: [
      test(HEADERS, "a name in Base64 is compared decoded"),
      test(
        HEADERS,
        "names that look like Base64, or cannot stand in a header, need it",
      ),
    ],
  },
  {
    id: "http-invalid-characters",
    text: "Header values with characters that no header may have are refused.",
    spec: VALIDATION,
    tests: [
      test(
        HEADERS,
        "names that look like Base64, or cannot stand in a header, need it",
      ),
      test(
        HEADERS,
        "a socket may spell header names as it likes and pad values, but not repeat them",
      ),
      test(PARAM_HEADERS, "a mirrored argument is refused: ${what}"),
    ],
  },
  {
    id: "http-case",
    text: "Header names are taken in any case, their values as they are.",
    spec: `${PAGE}, Case Sensitivity`,
    tests: [
      test(
        HEADERS,
        "a socket may spell header names as it likes and pad values, but not repeat them",
      ),
      test(
        HEADERS,
        "${what} is a header mismatch, and the tool does not run",
      ),
    ],
  },
  {
    id: "http-param-mismatch",
    text:
      "A mirrored argument that is missing, different or wrongly encoded in its header is refused.",
    spec: PARAMS,
    tests: [test(PARAM_HEADERS, "a mirrored argument is refused: ${what}")],
  },
  {
    id: "http-param-match",
    text:
      "Integers compare by value, null and absent arguments want no header, unknown Mcp-Param-* are ignored.",
    spec: PARAMS,
    tests: [test(PARAM_HEADERS, "a mirrored argument is accepted: ${what}")],
  },
  {
    id: "http-param-definitions",
    text:
      "x-mcp-header is a unique token on a string, integer or boolean that is reached through properties alone.",
    spec: SCHEMA,
    tests: [
      test(
        ANNOTATIONS,
        "strings, integers and booleans can be mirrored, nested ones too",
      ),
      test(ANNOTATIONS, "x-mcp-header on ${what} is refused at the start"),
      test(ANNOTATIONS, "x-mcp-header below ${what} is refused"),
    ],
  },
  {
    id: "http-param-sensitive",
    text: "Secret parameters are not to be mirrored.",
    spec: "server/tools, x-mcp-header",
    why:
      "Which parameters are secret is known to the author of a server alone.",
  },
];
