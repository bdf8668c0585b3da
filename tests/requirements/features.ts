import { type Requirement, test } from "./requirement.ts";

const TOOLS = "transport/run/tools";
const RESOURCES = "transport/run/resources";
const PROMPTS = "transport/run/prompts";
const COMPLETION = "transport/run/completion";
const PAGINATION = "transport/run/pagination";
const CACHING = "transport/run/caching";
const LOGGING = "transport/modern/logging";

/** Tools, resources, prompts, and the utilities around them. */
export const FEATURES: readonly Requirement[] = [
  {
    id: "caching-hints",
    text: "Every cacheable result has a time and a scope.",
    spec: "server/utilities/caching, Cacheable Results",
    tests: [
      test(CACHING, "every cacheable result is private and stale by default"),
      test(CACHING, "the app's hints are sent with what they are for"),
    ],
  },
  {
    id: "caching-interim",
    text: "A question carries no hint.",
    spec: "server/utilities/caching, Cacheable Results",
    tests: [
      test(
        CACHING,
        "a question carries no caching hint, and other results none either",
      ),
    ],
  },
  {
    id: "caching-pages",
    text: "All pages of a list have one scope.",
    spec: "server/utilities/caching, Interaction with Pagination",
    tests: [test(PAGINATION, "all pages of a list have one caching scope")],
  },
  {
    id: "caching-private",
    text: "What differs between callers is not public.",
    spec: "server/utilities/caching, Security Considerations",
    tests: [
      test(
        "transport/auth_app",
        "lists show callers what they may use, and are then no shared cache's business",
      ),
    ],
  },
  {
    id: "tools-unknown",
    text: "An unknown tool is the protocol error -32602.",
    spec: "server/tools, Error Handling",
    tests: [test(TOOLS, "an unknown tool, or none, is a protocol error")],
  },
  {
    id: "tools-malformed",
    text:
      "A call without a name, or whose arguments are no object, is a protocol error.",
    spec: "server/tools, Error Handling",
    tests: [
      test(
        TOOLS,
        "arguments may be left out, and must be an object when they are there",
      ),
      test(TOOLS, "an unknown tool, or none, is a protocol error"),
    ],
  },
  {
    id: "tools-invalid-arguments",
    text:
      "Arguments that fail their schema are a failed result that a model can act on.",
    spec: "server/tools, Error Handling",
    tests: [
      test(
        TOOLS,
        "arguments that fail the schema are told to the model by path and message",
      ),
    ],
  },
  {
    id: "tools-output",
    text:
      "Structured results conform to their schema, may be any JSON value, and stand in the text too.",
    spec: "server/tools, Output Schema",
    tests: [
      test(
        TOOLS,
        "a tool with an output schema gives its value as structure and as text",
      ),
      test(TOOLS, "output may be any JSON value"),
      test(
        TOOLS,
        "output that breaks its schema is not sent, and is the server's fault",
      ),
    ],
  },
  {
    id: "tools-content",
    text:
      "Content is made of the blocks that the specification knows, links and resources among them.",
    spec: "server/tools, Tool Result",
    tests: [
      test(
        TOOLS,
        "a tool without an output schema returns text, blocks, a result or nothing",
      ),
      test(TOOLS, "what is no content fails the call, and is not sent"),
    ],
  },
  {
    id: "tools-list",
    text:
      "The list is the same for every request, in a fixed order, with annotations, titles and icons.",
    spec: "server/tools, Capabilities",
    tests: [
      test(
        TOOLS,
        "tools are listed in their order, with all that they say of themselves",
      ),
    ],
  },
  {
    id: "tools-names",
    text: "Names are unique, and can be sent.",
    spec: "server/tools, Tool Names",
    tests: [
      test(
        "transport/catalog/definitions",
        "two definitions of one name are refused, and families do not mix",
      ),
      test(
        "transport/catalog/definitions",
        "names that cannot be sent are refused",
      ),
    ],
  },
  {
    id: "tools-base64",
    text: "Bytes are sent in Base64.",
    spec: "server/resources, Binary Content",
    tests: [
      test(RESOURCES, "text, bytes and values become contents of their kind"),
    ],
  },
  {
    id: "capabilities-declared",
    text: "What is served is declared, and what is not declared is not served.",
    spec: "server/tools, Capabilities",
    tests: [
      test(
        "clients/v2_http",
        "the official client finds the server, and what it is",
      ),
      test(COMPLETION, "a server that completes nothing has no completion"),
    ],
  },
  {
    id: "tools-access",
    text: "Calls are validated, held to scopes and limited in number.",
    spec: "server/tools, Security Considerations",
    tests: [
      test(
        "transport/auth_app",
        "a definition's scopes are checked before its handler, and all of them named",
      ),
      test(
        "transport/limits",
        "a caller with all the calls it may have is told to come back, before a handler runs",
      ),
    ],
  },
  {
    id: "logging-opt-in",
    text:
      "Log messages go to requests that ask for them, from their level on, on their own stream.",
    spec: "server/utilities/logging, Per-request log level",
    tests: [
      test(LOGGING, "a request without a log level gets no log messages"),
      test(
        LOGGING,
        "a request gets the log messages from its level on, whatever runs",
      ),
      test(LOGGING, "messages stay with the call that logged them"),
    ],
  },
  {
    id: "logging-levels",
    text: "An unknown level is -32602.",
    spec: "server/utilities/logging, Error Handling",
    tests: [test(LOGGING, "an unknown level is refused before anything runs")],
  },
  {
    id: "logging-secrets",
    text: "Log messages hold no secrets.",
    spec: "server/utilities/logging, Security",
    tests: [
      test(
        "transport/run/prompts",
        "a failing handler is a protocol error that says what it may",
      ),
    ],
  },
  {
    id: "resources-not-found",
    text: "A resource that does not exist is -32602 with its URI.",
    spec: "server/resources, Error Handling",
    tests: [
      test(
        RESOURCES,
        "a URI that names nothing is -32602 with the URI, as is a handler's notFound",
      ),
    ],
  },
  {
    id: "resources-uris",
    text: "URIs are valid, and those that are read are checked.",
    spec: "server/resources, Security Considerations",
    tests: [
      test(
        "transport/catalog/definitions",
        "URIs and templates that are none are refused",
      ),
      test(RESOURCES, "a read without a URI is refused"),
    ],
  },
  {
    id: "resources-templates",
    text: "Templates are listed, and their variables are decoded.",
    spec: "server/resources, Resource Templates",
    tests: [
      test(
        RESOURCES,
        "variables of a template are percent-decoded, and reach nothing else",
      ),
      test(
        RESOURCES,
        "definitions are listed with all that they say of themselves",
      ),
      test("transport/catalog/uri_template", "${template} reads ${uri}"),
    ],
  },
  {
    id: "resources-traversal",
    text: "Paths in file:// URIs cannot leave their directory.",
    spec: "server/resources, Security Considerations",
    why:
      "Handlers are given the decoded variables and open files themselves; where a path leads is theirs to check.",
  },
  {
    id: "resources-several-contents",
    text: "A read may give several contents.",
    spec: "server/resources, Reading Resources",
    tests: [
      test(
        RESOURCES,
        "a whole result is sent as it is, with who serves it",
      ),
    ],
  },
  {
    id: "prompts-arguments",
    text: "Unknown prompts and missing or unfitting arguments are -32602.",
    spec: "server/prompts, Error Handling",
    tests: [
      test(PROMPTS, "an unknown prompt, or none, is refused"),
      test(PROMPTS, "arguments are validated before the handler runs"),
    ],
  },
  {
    id: "completion-context",
    text: "Completion knows what is typed, and the arguments that are known.",
    spec: "server/utilities/completion, Requesting Completions",
    tests: [
      test(
        COMPLETION,
        "an argument of a prompt or template is completed with what is typed and known",
      ),
    ],
  },
  {
    id: "completion-limit",
    text:
      "At most 100 values are sent, with how many there are and whether there are more.",
    spec: "server/utilities/completion, Completion Results",
    tests: [
      test(
        COMPLETION,
        "at most a hundred values are sent, and the rest is told of",
      ),
      test(
        COMPLETION,
        "what a callback says of the rest is passed on, and nothing is made up",
      ),
    ],
  },
  {
    id: "completion-errors",
    text: "Unknown references and malformed requests are -32602.",
    spec: "server/utilities/completion, Error Handling",
    tests: [test(COMPLETION, "${what} cannot be completed")],
  },
  {
    id: "completion-access",
    text: "Suggestions are shown to those who may use what they are for.",
    spec: "server/utilities/completion, Security",
    tests: [
      test(COMPLETION, "completion needs the scopes of what it completes"),
    ],
  },
  {
    id: "pagination-pages",
    text: "Lists come in pages, with cursors that are opaque and stable.",
    spec: "server/utilities/pagination, Response Format",
    tests: [
      test(
        PAGINATION,
        "every list comes in pages of the size that is set, in the order of its definitions",
      ),
      test(
        PAGINATION,
        "cursors are the same each time, and say nothing of what they stand for",
      ),
    ],
  },
  {
    id: "pagination-bad-cursor",
    text:
      "A cursor that was not given out, the empty string included, is -32602.",
    spec: "server/utilities/pagination, Error Handling",
    tests: [
      test(
        PAGINATION,
        "a cursor that the list did not give out is refused",
      ),
    ],
  },
];
