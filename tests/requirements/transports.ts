import { type Requirement, test } from "./requirement.ts";

const PAGE = "basic/transports/stdio";
const AUTH_PAGE = "basic/authorization/index";

const CONNECTION = "transport/stdio/connection";
const PROCESS = "transport/stdio/process";
const AUTH_APP = "transport/auth_app";

/** stdio and authorization. */
export const TRANSPORTS: readonly Requirement[] = [
  {
    id: "stdio-lines",
    text: "One message a line, in UTF-8, without line breaks in it.",
    spec: PAGE,
    tests: [
      test(
        CONNECTION,
        "text with line breaks and lone surrogates stays on one well-formed line",
      ),
    ],
  },
  {
    id: "stdio-stdout",
    text: "Nothing but messages is written to stdout, and no requests.",
    spec: PAGE,
    tests: [
      test(
        PROCESS,
        "stdout carries messages only, whatever the server prints, and stderr has the rest",
      ),
    ],
  },
  {
    id: "stdio-envelope",
    text: "The envelope is held to the rules that HTTP has it held to.",
    spec: PAGE,
    tests: [
      test(
        CONNECTION,
        "the envelope is held to the rules that HTTP has it held to",
      ),
    ],
  },
  {
    id: "stdio-concurrency",
    text: "Requests run side by side; an id in use is refused.",
    spec: PAGE,
    tests: [
      test(
        CONNECTION,
        "calls run side by side, and are answered as they are ready",
      ),
      test(
        CONNECTION,
        'an id in use is refused, and the first call goes on; 1 and "1" are two',
      ),
    ],
  },
  {
    id: "stdio-subscriptions",
    text:
      "Subscriptions share the channel, each with its own tag, and are cancelled by id.",
    spec: PAGE,
    tests: [
      test(
        CONNECTION,
        "subscriptions share the channel, each with its own tag, and end by themselves",
      ),
    ],
  },
  {
    id: "stdio-eof",
    text: "The end of stdin ends the process.",
    spec: `${PAGE}, Shutdown`,
    tests: [
      test(
        PROCESS,
        "the end of stdin ends the process, behind the answers, though timers run",
      ),
    ],
  },
  {
    id: "stdio-probe",
    text: "A client that probes with server/discover finds this revision.",
    spec: `${PAGE}, Backward Compatibility`,
    tests: [
      test(
        "transport/stdio/official_client",
        "the official client finds the revision, and uses all that there is",
      ),
    ],
  },
  {
    id: "auth-challenge",
    text: "401 and 403 name the metadata, and the scopes that are missing.",
    spec: `${AUTH_PAGE}, Error Handling`,
    tests: [
      test(
        AUTH_APP,
        "the challenge names the configured URL, whatever the request says it came for",
      ),
      test(
        AUTH_APP,
        "a definition's scopes are checked before its handler, and all of them named",
      ),
    ],
  },
  {
    id: "auth-metadata",
    text:
      "The metadata of the protected resource are where the challenge says.",
    spec: `${AUTH_PAGE}, Authorization Server Discovery`,
    tests: [
      test(
        AUTH_APP,
        "the metadata are where the challenge says, without credentials, on every path",
      ),
    ],
  },
  {
    id: "auth-audience",
    text: "A token for another resource is refused.",
    spec: `${AUTH_PAGE}, Access Token Usage`,
    tests: [
      test(
        "transport/oauth_flow",
        "a token of the same authorization server for another resource is refused",
      ),
    ],
  },
  {
    id: "auth-passthrough",
    text: "Tokens are not passed on to other services.",
    spec: `${AUTH_PAGE}, Access Token Usage`,
    why: "Handlers are given the claims of a token and never the token.",
  },
];
