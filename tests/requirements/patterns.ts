import { type Requirement, test } from "./requirement.ts";

const MRTR = "basic/patterns/mrtr";
const BASIC = `${MRTR}, Server Requirements (Basic Workflow)`;
const ERRORS = `${MRTR}, Error Handling`;
const LISTEN_PAGE = "basic/patterns/subscriptions";
const CANCELLATION = "basic/patterns/cancellation";

const INPUT = "transport/modern/input";
const CAPABILITIES = "input_flow/capabilities";
const SEALED = "input_flow/sealed_state";
const LISTEN = "transport/modern/listen";
const PROGRESS = "transport/modern/progress";

/** Questions, subscriptions, progress, cancellation, and what is asked of clients. */
export const PATTERNS: readonly Requirement[] = [
  {
    id: "mrtr-something-to-ask",
    text:
      "A result that asks has requests or a state; a state alone needs no capability.",
    spec: BASIC,
    tests: [
      test(
        INPUT,
        "a handler can send nothing but its state, and needs no capability for it",
      ),
      test(
        "input/input_required",
        "inputRequired() refuses to ask for nothing",
      ),
    ],
  },
  {
    id: "mrtr-where",
    text: "Calls, prompts and reads may ask, and nothing else does.",
    spec: `${MRTR}, Supported Requests`,
    tests: [
      test(INPUT, "prompts ask, and are answered, like tools"),
      test(
        "transport/run/resources",
        "a handler sees the URI that is read, and can ask for input",
      ),
      test(
        INPUT,
        "lists, discovery and completion are never answered with a question",
      ),
      test(
        "transport/run/completion",
        "a callback that fails, asks or returns nonsense fails the completion alone",
      ),
      test(
        "transport/run/pagination",
        "a list callback that fails, asks or returns nonsense fails the list loudly",
      ),
    ],
  },
  {
    id: "mrtr-declared",
    text:
      "Clients are asked only what they declared for this very request, modes and tools included.",
    spec: BASIC,
    tests: [
      test(
        INPUT,
        "a client that declares ${JSON.stringify(capabilities)} is asked nothing else",
      ),
      test(
        CAPABILITIES,
        '2026-07-28: ${JSON.stringify(capabilities)} is asked for ${allowed.join(", ") || "nothing"}',
      ),
      test(
        CAPABILITIES,
        "2026-07-28: each round goes by what it declares itself",
      ),
    ],
  },
  {
    id: "mrtr-state-integrity",
    text:
      "A state that was altered, cut, re-encoded or replaced is -32602, and no handler runs.",
    spec: BASIC,
    tests: [
      test(
        INPUT,
        "a state that was not sealed for this very call is refused, and nothing runs",
      ),
      test(SEALED, "no altered ${form} state reaches a handler"),
    ],
  },
  {
    id: "mrtr-state-binding",
    text:
      "A state is good for its principal, operation and arguments, and for a while.",
    spec: BASIC,
    tests: [
      test(SEALED, "${form} state is good for its own call and caller only"),
      test(
        SEALED,
        "${form} state expires, and each round gives it a new lifetime",
      ),
    ],
  },
  {
    id: "mrtr-single-use",
    text: "What must happen once is held to that by the server.",
    spec: BASIC,
    tests: [
      test(
        "input_flow/consent",
        "consent() answered eight times at once counts once (${how})",
      ),
    ],
  },
  {
    id: "mrtr-state-used",
    text: "The state that comes back is the one that was sent.",
    spec: BASIC,
    tests: [
      test(
        INPUT,
        "a handler can send nothing but its state, and needs no capability for it",
      ),
    ],
  },
  {
    id: "mrtr-missing-answers",
    text:
      "Missing, malformed and unfitting answers are asked for again or refused; unknown keys are ignored.",
    spec: ERRORS,
    tests: [
      test(INPUT, "no answer is asked for again: ${what}"),
      test(
        INPUT,
        "an answer that fits is taken, whatever stands beside it",
      ),
    ],
  },
  {
    id: "mrtr-refusals",
    text: "Declined and cancelled questions are told apart from answers.",
    spec: "client/elicitation, Response Actions",
    tests: [
      test(INPUT, "a refusal is one, and its content is nobody's"),
      test(
        "clients/v2_http",
        "the official client declines, and the call says so",
      ),
    ],
  },
  {
    id: "elicitation-modes",
    text:
      "Forms and pages are asked of clients that have them, and every kind reaches the client.",
    spec: "client/elicitation, Capabilities",
    tests: [
      test(
        INPUT,
        "questions of all four kinds go out in one result, and nothing else does",
      ),
      test(
        "clients/v2_http",
        "the official client answers questions of all four kinds, in two rounds",
      ),
    ],
  },
  {
    id: "elicitation-schema",
    text:
      "Form schemas are flat and primitive, with defaults and enums; others are refused.",
    spec: "client/elicitation, Requested Schema",
    tests: [
      test(
        "input/form_schema",
        "formSchema() writes exactly the restricted grammar",
      ),
      test(
        "input/form_schema",
        "formSchema() refuses ${name}, as the SDK does, and says where",
      ),
    ],
  },
  {
    id: "elicitation-urls",
    text: "Pages that people are sent to are absolute URLs.",
    spec: "client/elicitation, URL Mode Elicitation Requests",
    tests: [
      test(
        "input/input_required",
        "inputRequired.elicitUrl() refuses what is no absolute URL",
      ),
    ],
  },
  {
    id: "elicitation-secrets",
    text: "Forms do not ask for secrets.",
    spec: "client/elicitation, Form Mode Elicitation Requests",
    why: "What a form asks for is known to the author of a server alone.",
  },
  {
    id: "sampling-tools",
    text:
      "Tools are put to a model only where the client declared that it can have them.",
    spec: "client/sampling, Capabilities",
    tests: [
      test(
        CAPABILITIES,
        '2026-07-28: ${JSON.stringify(capabilities)} is asked for ${allowed.join(", ") || "nothing"}',
      ),
    ],
  },
  {
    id: "sampling-messages",
    text: "Messages with tool results hold nothing else, and answer each use.",
    spec: "client/sampling, Message Content Constraints",
    why:
      "Messages go out as a handler wrote them; the client is to refuse those that break the rule.",
  },
  {
    id: "subscriptions-id",
    text:
      "Every notification is tagged with the id of its listen request, of the same type.",
    spec: LISTEN_PAGE,
    tests: [
      test(
        LISTEN,
        "only what was asked for is heard, tagged with the id and type of the request",
      ),
    ],
  },
  {
    id: "subscriptions-ack",
    text:
      "The acknowledgement comes first, and names the subset that is honoured.",
    spec: LISTEN_PAGE,
    tests: [
      test(
        LISTEN,
        "the acknowledgement comes first and names what is honoured",
      ),
      test(
        LISTEN,
        "what the app has none of is left out of the acknowledgement",
      ),
      test(
        LISTEN,
        "events between the opening and the first read are kept, and come behind the acknowledgement",
      ),
    ],
  },
  {
    id: "subscriptions-filter",
    text: "Only what was asked for is sent; a malformed filter is -32602.",
    spec: LISTEN_PAGE,
    tests: [
      test(
        LISTEN,
        "resources/updated names the resource, and only those that were asked for",
      ),
      test(LISTEN, "a filter that is missing or malformed is -32602"),
    ],
  },
  {
    id: "subscriptions-end",
    text:
      "A server that ends says so on each stream; a client that leaves frees its own.",
    spec: LISTEN_PAGE,
    tests: [
      test(
        LISTEN,
        "closing the app ends each stream with an empty result, and takes no other",
      ),
      test(
        LISTEN,
        "a listener that leaves is forgotten, and the last one leaves the bus",
      ),
      test(
        "clients/v2_http",
        "the official client listens, and hears what it asked for until the server ends",
      ),
    ],
  },
  {
    id: "progress-increases",
    text:
      "Progress increases with each notification, under the caller's own token.",
    spec: "basic/patterns/progress, Progress Flow",
    tests: [
      test(PROGRESS, "progress only ever increases"),
      test(
        PROGRESS,
        "progress reaches a client under its own token, of either type",
      ),
    ],
  },
  {
    id: "progress-scope",
    text: "Progress is sent to those who asked for it, and ends with the call.",
    spec: "basic/patterns/progress, Behavior Requirements",
    tests: [
      test(PROGRESS, "progress is sent to nobody who did not ask for it"),
      test(PROGRESS, "progress stops with the call"),
    ],
  },
  {
    id: "progress-rate",
    text: "Progress does not flood.",
    spec: "basic/patterns/progress, Implementation Notes",
    tests: [
      test(
        "transport/stdio/line_writer",
        "what may be left out is, when too much waits; what may not is written",
      ),
    ],
  },
  {
    id: "cancellation-ignored",
    text: "Cancellations that name no running request are ignored.",
    spec: `${CANCELLATION}, Error Handling`,
    tests: [
      test(
        "transport/stdio/connection",
        "cancellations that name no running call are ignored",
      ),
      test(
        "transport/modern/http_surface",
        "a notification is accepted with 202 and no body, known or not",
      ),
    ],
  },
  {
    id: "cancellation-odd-ids",
    text:
      "Requests with the ids 0 and the empty string are cancelled like others.",
    spec: `${CANCELLATION}, Behavior Requirements`,
    tests: [
      test(
        "transport/stdio/connection",
        "calls with odd ids are cancelled, and nothing more is said of them",
      ),
    ],
  },
];
