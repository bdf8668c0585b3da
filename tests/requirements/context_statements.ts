/**
 * The Context contract: what `ctx` and its parts promise, statement by
 * statement, and the tests that hold them to it. `context_statements_test.ts`
 * checks that each of the tests is there.
 */

/** One promise of the Context contract. */
export interface Statement {
  /** The promise, in one sentence. */
  readonly says: string;
  /**
   * The tests, each as `<file below tests/>: <name>`. A `*` stands for what a
   * name takes from its table.
   */
  readonly tests: readonly string[];
}

/** The promises, by the part that they are about. */
export const CONTEXT_STATEMENTS: Readonly<
  Record<string, readonly Statement[]>
> = {
  "Identity": [
    {
      says: "Tools, resources and prompts all receive one ctx.",
      tests: [
        "context/identity_test.ts: a handler of any family knows whose request it is, in the * era",
      ],
    },
    {
      says:
        "requestId is unique per request, and on its errors as data.requestId.",
      tests: [
        "context/identity_test.ts: a handler of any family knows whose request it is, in the * era",
        "context/failures_test.ts: requestId is that of the call, whatever the data says",
        "context/failures_test.ts: a name that nobody knows is refused with a requestId, too",
      ],
    },
    {
      says: "timestamp is the start of the request, ISO 8601.",
      tests: [
        "context/identity_test.ts: a handler of any family knows whose request it is, in the * era",
      ],
    },
    {
      says:
        'tenantId comes from the token, and is "default" without authentication.',
      tests: [
        "context/caller_test.ts: ctx.auth is what the credentials say, and the tenant follows from it, in the * era",
        "context/caller_test.ts: ctx.clientInfo is what the client says of itself, in the * era",
      ],
    },
    {
      says: "A token without a tenant gets no state: the call fails closed.",
      tests: [
        "context/caller_test.ts: a caller without a tenant gets no state, in the * era",
      ],
    },
    {
      says:
        "sessionId is that of a 2025-era session, the same in each of its requests, and undefined on 2026-07-28.",
      tests: [
        "context/caller_test.ts: ctx.sessionId is that of the session, and no other era has one",
      ],
    },
    {
      says:
        "Without sessions there is no sessionId, unless the app asks for one per request.",
      tests: [
        "context/caller_test.ts: without sessions ctx.sessionId is undefined, unless the app wants one per request",
      ],
    },
    {
      says:
        "traceId and spanId name the handler's own span, and are undefined with tracing off.",
      tests: [
        "transport/telemetry/telemetry_test.ts: ctx.traceId and ctx.spanId name the span the handler runs in",
        "transport/telemetry/telemetry_test.ts: ctx.traceId and ctx.spanId are undefined with tracing off",
      ],
    },
    {
      says: "auth is what the credentials say.",
      tests: [
        "context/caller_test.ts: ctx.auth is what the credentials say, and the tenant follows from it, in the * era",
      ],
    },
    {
      says: "uri is there for resource handlers only.",
      tests: [
        "context/identity_test.ts: a handler of any family knows whose request it is, in the * era",
      ],
    },
  ],
  "RequestContext": [
    {
      says:
        "A handler's ctx passes as RequestContext, with no cast and no helper.",
      tests: [
        "types/context_test.ts: a handler's context passes as Context and as RequestContext, with no cast",
      ],
    },
    {
      says: "Its fields are nine, and a misspelt one does not compile.",
      tests: [
        "types/context_test.ts: RequestContext is closed: exactly nine fields, and no others",
      ],
    },
    {
      says: "withExtra() merges into the bag that the parent has.",
      tests: [
        "context/identity_test.ts: withExtra() merges into what a context carries, and leaves it alone",
      ],
    },
    {
      says: "A copy written by hand keeps the identity and replaces the bag.",
      tests: [
        "context/identity_test.ts: a copy of a context keeps what identifies it, and none of its parts",
      ],
    },
    {
      says:
        "createRequestContext() derives a context; additionalContext is merged over the parent's bag.",
      tests: [
        "context/identity_test.ts: createRequestContext() derives a context for a part of the work",
        "context/identity_test.ts: createRequestContext() makes a fresh one for background work",
      ],
    },
    {
      says:
        "createRequestContext() takes four parameters; another one does not compile.",
      tests: [
        "types/context_test.ts: createRequestContext() takes four parameters, and no others",
      ],
    },
    {
      says:
        "Logs flatten the bag, and none of its keys replaces a field that the context sets.",
      tests: [
        "context/identity_test.ts: the logger of services flattens extra, and the context's own fields win",
      ],
    },
  ],
  "ctx.log": [
    {
      says:
        "Every line carries requestId, tenantId, sessionId and the span, by itself.",
      tests: [
        "context/log_delivery_test.ts: every line of a call carries what identifies it",
        "context/log/logger_test.ts: a line carries its request, which no field can replace",
      ],
    },
    {
      says: "Each call writes to the process log and to the client.",
      tests: [
        "context/log_delivery_test.ts: one call writes to the process and to the client, in the * era",
      ],
    },
    {
      says: "The server says that it logs.",
      tests: [
        "context/caller_test.ts: ctx.log goes to clients that the server tells it logs",
      ],
    },
    {
      says: "One floor gates both sinks, in the order of RFC 5424.",
      tests: [
        "context/log_delivery_test.ts: the floor drops a line from both sinks, in the * era",
        "context/log/levels_test.ts: levelRank() orders the levels as RFC 5424 does",
      ],
    },
    {
      says: "The floor can be moved at run time.",
      tests: [
        "context/log_delivery_test.ts: setLogLevel() moves the floor of both sinks at run time, in the * era",
      ],
    },
    {
      says: "The client's own level narrows the floor, and never widens it.",
      tests: [
        "context/log_delivery_test.ts: the client's level narrows what it gets, and never widens it, in the * era",
        "context/log_delivery_test.ts: the level of one legacy session does not concern another",
      ],
    },
    {
      says:
        "A 2026-07-28 client gets log messages only when its request asks for them.",
      tests: [
        "context/log_delivery_test.ts: a modern client that asks for no log gets none",
        "context/log_delivery_test.ts: a log level that is none is refused, and nothing runs",
      ],
    },
    {
      says:
        "Sensitive fields are masked at any depth, whatever their spelling, and also as one word of a name.",
      tests: [
        "context/log_delivery_test.ts: sensitive fields are masked at any depth, in the * era",
        "context/log/redact_test.ts: redact() masks at any depth and never changes what it is given",
      ],
    },
    {
      says: "setSensitiveFields() adds to the list.",
      tests: [
        "context/log_delivery_test.ts: sensitive fields are masked at any depth, in the * era",
        "context/log/redact_test.ts: setSensitiveFields() adds to every redactor of the process",
      ],
    },
    {
      says: "The caller's data is never changed.",
      tests: [
        "context/log_delivery_test.ts: sensitive fields are masked at any depth, in the * era",
      ],
    },
    {
      says:
        "ctx.log.error adds the error's message, and its stack goes to the process alone.",
      tests: [
        "context/log_delivery_test.ts: message and error are the line's own, in the * era",
        "context/log/logger_test.ts: only the process hears an error's stack, cause, code and data",
      ],
    },
    {
      says: "message and error on the wire are never the caller's fields.",
      tests: [
        "context/log_delivery_test.ts: message and error are the line's own, in the * era",
      ],
    },
    {
      says:
        "In the process log the caller's fields stay, except one named like what the context sets.",
      tests: [
        "context/log_delivery_test.ts: message and error are the line's own, in the * era",
        "context/log/logger_test.ts: a field named like what the context does not set is kept",
      ],
    },
    {
      says: "Delivery neither fails nor delays a handler.",
      tests: [
        "context/log_delivery_test.ts: a client that takes no stream loses its log, and nothing else",
        "context/log_delivery_test.ts: a process log that fails does not fail the handler",
        "context/log_delivery_test.ts: what is logged after the answer goes to the process only, in the * era",
      ],
    },
    {
      says: "Any value can be logged.",
      tests: [
        "context/hostile_test.ts: * hostile values thrown and logged each get one well-formed answer, in the * era",
        "context/log/logger_test.ts: 500 hostile values are logged, each as one line of JSON",
      ],
    },
    {
      says:
        "There is a ready configuration for people and one for machines, on stderr.",
      tests: [
        "context/log/configure_test.ts: production writes one JSON object a line",
        "context/log/configure_test.ts: development writes lines to read, with the stack below",
        "context/log/configure_test.ts: by default every line goes to standard error, none to output",
      ],
    },
    {
      says: "Services and background code have a logger of their own.",
      tests: [
        "context/identity_test.ts: the logger of services logs errors, and heeds setLogLevel()",
      ],
    },
  ],
  "Failures": [
    {
      says:
        "A failed tool call is a result with isError, the text, and code, message and data.",
      tests: [
        "context/failures_test.ts: a failed tool is a result with its code, message and data, in the * era",
        "context/failures_test.ts: a legacy client gets the failure of a tool with an output schema under _meta",
      ],
    },
    {
      says: "Resources and prompts fail with JSON-RPC errors.",
      tests: [
        "context/failures_test.ts: resources and prompts fail with JSON-RPC errors, in the * era",
        "context/failures_test.ts: a code that 2026-07-28 does not define never goes out as a JSON-RPC error",
      ],
    },
    {
      says: "ctx.fail throws the code that is declared for its reason.",
      tests: [
        "context/failures_test.ts: ctx.fail throws the declared code, and its message by default",
        "testing/mock_context_test.ts: an error that ctx.fail builds keeps the cause it is given",
      ],
    },
    {
      says:
        "ctx.fail is there for definitions that declare errors, and knows their reasons.",
      tests: [
        "types/tool_test.ts: a misspelt reason does not compile",
        "types/tool_test.ts: without errors there is no ctx.fail, and any reason may be looked up",
      ],
    },
    {
      says:
        "ctx.recoveryFor gives the declared hint, and {} without a contract or for an unknown reason.",
      tests: [
        "testing/mock_context_test.ts: ctx.fail and ctx.recoveryFor know the contract that is given",
      ],
    },
    {
      says: "A declared hint is sent with any failure that carries the reason.",
      tests: [
        "context/failures_test.ts: a declared hint goes with any failure that carries the reason, in the * era",
        "context/failures_test.ts: the hint of the failure itself wins over the declared one",
        "context/failures_test.ts: a reason without a declared hint, or undeclared, goes without one",
      ],
    },
    {
      says: "A service throws a factory with the reason, and needs no ctx.",
      tests: [
        "context/failures_test.ts: a service that throws a factory with a declared reason needs no ctx",
      ],
    },
    {
      says:
        "What is no error of the module is classified by its type, never by its text.",
      tests: [
        "context/failures_test.ts: * is classified by its type as *",
        "context/errors/classify_test.ts: a message that names another kind changes nothing",
      ],
    },
    {
      says:
        "No stack, cause, path, secret or elicited answer reaches a client.",
      tests: [
        "context/failures_test.ts: no answer, secret, path, stack or cause reaches a client, in the * era",
        "context/failures_test.ts: a context in the data of a failure brings no claims along",
      ],
    },
    {
      says:
        "Faults are errors in the log, with stack and cause; what the caller can mend is none.",
      tests: [
        "context/failures_test.ts: in the log, *",
        "context/failures_test.ts: refusals of the caller's own making are no errors in the log",
        "context/failures_test.ts: output that does not match its schema is the server's fault, and is not sent",
      ],
    },
    {
      says:
        "Any value can be thrown, returned or put into data: one well-formed answer, and the process lives.",
      tests: [
        "context/hostile_test.ts: * hostile values thrown and logged each get one well-formed answer, in the * era",
        "context/hostile_test.ts: hostile values returned or put into data get one well-formed answer, in the * era",
        "context/hostile_test.ts: hostile values in the data of resources and prompts get one well-formed error, in the * era",
        "context/failures_test.ts: data that JSON cannot carry is still sent, as far as it goes",
      ],
    },
  ],
  "ctx.enrich": [
    {
      says: "Fields reach the structured result and the content.",
      tests: [
        "context/enrich_test.ts: an enrichment joins the structured result and a trailer, in the * era",
        "context/enrich_test.ts: a tool without an output schema is enriched too",
      ],
    },
    {
      says: "It is about successes.",
      tests: [
        "context/enrich_test.ts: a result that says it failed is not enriched",
      ],
    },
    {
      says: "It is always there, and does nothing without an enrichment block.",
      tests: [
        "context/enrich_test.ts: without an enrichment block, enriching does nothing",
        "context/enrich_test.ts: a field that the block does not declare is left out",
      ],
    },
    {
      says:
        "It has helpers for a notice, a total, an echo, a change and a cut.",
      tests: [
        "context/enrich_test.ts: an enrichment joins the structured result and a trailer, in the * era",
        "context/enrich_test.ts: truncated says what was cut, and how to see the rest",
      ],
    },
    {
      says: "Values accumulate; a later one replaces an earlier one.",
      tests: [
        "context/enrich_test.ts: a later value of a field replaces the earlier one",
      ],
    },
    {
      says: "It is typed by the declared fields.",
      tests: [
        "types/tool_test.ts: a misspelt or mistyped enrichment does not compile",
      ],
    },
    {
      says:
        "The advertised output schema holds the fields, and values are held to it.",
      tests: [
        "context/enrich_test.ts: the advertised output schema holds the enrichment",
        "context/enrich_test.ts: an enrichment that does not match its schema fails the call",
        "context/enrich_test.ts: what a schema makes of a field is what is sent",
        "context/enrich_test.ts: createApp() refuses an enrichment that its output cannot hold",
      ],
    },
    {
      says: "The trailer has one field a line.",
      tests: [
        "context/enrich_test.ts: each field of the trailer takes one line, whatever it holds",
      ],
    },
  ],
  "ctx.content": [
    {
      says: "Media come first, then the formatted output, then the trailer.",
      tests: [
        "context/content_test.ts: content is media first, then the formatted output, then the trailer, in the * era",
        "context/content_test.ts: media come first without an output schema too",
      ],
    },
    {
      says: "Media are no part of the structured result, and of no other call.",
      tests: [
        "context/content_test.ts: content is media first, then the formatted output, then the trailer, in the * era",
        "context/content_test.ts: what is collected in one call is not in the next",
      ],
    },
    {
      says: "format writes the output as text or blocks.",
      tests: [
        "context/content_test.ts: a format may be one text",
        "context/content_test.ts: a format that fails, or gives no content, fails the call",
        "types/tool_test.ts: format is given the output",
      ],
    },
  ],
  "Input": [
    {
      says:
        "requestInput never returns; the round it ends is no failure, and is not logged as one.",
      tests: [
        "context/caller_test.ts: a round that ends in a question is no failure, and is not logged as one, in the * era",
        "transport/telemetry/telemetry_test.ts: a round that waits for input is no error",
      ],
    },
    {
      says:
        "A 2025-era client that cannot answer is refused where the handler stands, with a hint and the fallback.",
      tests: [
        "testing/mock_context_test.ts: a legacy client without the capability is refused where the handler stands",
        "context/failures_test.ts: refusals of the caller's own making are no errors in the log",
      ],
    },
    {
      says: "inputs holds only what the client declared it can give.",
      tests: [
        "testing/mock_context_test.ts: answers that the client did not declare are left out",
      ],
    },
    {
      says:
        "clientCapabilities is what was declared: {} for nothing, undefined when nobody knows, each era in its own shape.",
      tests: [
        "context/caller_test.ts: ctx.clientCapabilities is what the client declared for the request, in the * era",
        "context/caller_test.ts: a bare elicitation reads as it was sent on 2026-07-28, and with its mode in the 2025 era",
        "context/caller_test.ts: without sessions ctx.sessionId is undefined, unless the app wants one per request",
      ],
    },
    {
      says: "return ctx.requestInput(...) compiles whatever the output is.",
      tests: [
        "types/tool_test.ts: a handler may return the answer of requestInput or inputRequired, whatever its output",
      ],
    },
  ],
  "Notifications and cancellation": [
    {
      says:
        "The notify functions are in every handler's ctx, and reach whoever listens.",
      tests: [
        "context/caller_test.ts: events of a handler reach whoever listens to the app, in the * era",
        "testing/mock_context_test.ts: notifications are captured, and told to whoever listens",
      ],
    },
    {
      says: "signal aborts when the call is cancelled.",
      tests: [
        "testing/test_client_test.ts: a call can be cancelled while its handler runs, in the * era",
      ],
    },
  ],
  "Telemetry": [
    {
      says:
        "Every run of a handler has a span, named after its method and definition.",
      tests: [
        "transport/telemetry/telemetry_test.ts: each run of a handler has one span, named after it",
        "transport/telemetry/telemetry_test.ts: a span carries the attributes of the conventions",
      ],
    },
    {
      says: "Durations and the sizes of what came and went are measured.",
      tests: [
        "transport/telemetry/telemetry_test.ts: durations and sizes are measured by operation and outcome",
      ],
    },
    {
      says:
        "The caller's span is the parent, where the request names one well.",
      tests: [
        "transport/telemetry/telemetry_test.ts: the caller's span is the parent, what is around it a link",
        "transport/telemetry/telemetry_test.ts: without a well-formed parent, what is around it is the parent",
        "transport/telemetry/trace_context_test.ts: readRemoteParent() ignores a traceparent with *",
      ],
    },
    {
      says:
        "Failures are errors of their span, and a fault leaves its exception there.",
      tests: [
        "transport/telemetry/telemetry_test.ts: a failed tool is an error, whoever says so",
        "transport/telemetry/telemetry_test.ts: a JSON-RPC error carries its code",
        "transport/telemetry/telemetry_test.ts: only a fault records an exception, with its secrets masked",
      ],
    },
    {
      says: "Operations on state are spans below the handler's.",
      tests: [
        "transport/telemetry/telemetry_test.ts: operations on state are spans below the handler's",
      ],
    },
    {
      says: "Nothing is loaded or done when nobody listens.",
      tests: [
        "transport/telemetry/telemetry_test.ts: without OpenTelemetry there are no ids, and its library is not loaded",
      ],
    },
  ],
  "Test kit": [
    {
      says: "A mock context is of any kind of call that a handler may see.",
      tests: [
        "testing/mock_context_test.ts: a mock context is that of a call on stdio by default",
        "testing/mock_context_test.ts: every option reaches the context",
        "testing/mock_context_test.ts: handlers of all three families take a mock context",
      ],
    },
    {
      says: "A mock's state enforces what production enforces.",
      tests: [
        "testing/mock_context_test.ts: a mock's state refuses what production refuses",
        "testing/mock_context_test.ts: a mock's state gives back JSON, and nothing of the one written",
      ],
    },
    {
      says: "A mock's requestInput is the real one.",
      tests: [
        "testing/mock_context_test.ts: a handler that asks throws the signal, and getInputRequest() says what it asks",
        "testing/mock_context_test.ts: inputResponses are the answers of the round",
      ],
    },
    {
      says: "Logs, progress, enrichment and content are captured.",
      tests: [
        "testing/mock_context_test.ts: logs are captured with their secrets masked",
        "testing/mock_context_test.ts: progress is captured, and never goes backwards",
        "testing/mock_context_test.ts: enrichment and content are captured",
      ],
    },
    {
      says:
        "A test client drives a whole app in either era, and answers from one script.",
      tests: [
        "testing/test_client_test.ts: a test client calls, reads, fetches and completes, in the * era",
        "testing/test_client_test.ts: questions are answered from the script by their key, in the * era",
        "testing/test_client_test.ts: a person may decline, and a list is used up in order, in the * era",
        "testing/test_client_test.ts: a JSON-RPC error is thrown with its code, data and status, in the * era",
      ],
    },
  ],
};
