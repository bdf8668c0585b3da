/**
 * What handlers are given and how they are defined: {@linkcode tool},
 * {@linkcode resource}, {@linkcode prompt} and their {@linkcode Context}.
 *
 * @module
 */
export { type AuthContext, checkScopes } from "./auth_context.ts";
export type { CacheHint } from "./cache_hint.ts";
export type {
  Completion,
  CompletionCallback,
  CompletionCallbacks,
} from "./completion.ts";
export type {
  ContentCollect,
  Delta,
  Enrich,
  EnrichCall,
  EnrichHelpers,
  Truncation,
} from "./collected.ts";
export type {
  Context,
  EnrichmentFields,
  EnrichmentShape,
  HandlerContext,
  McpRequestView,
  RequestInput,
} from "./context.ts";
export type {
  ErrorContract,
  ReasonOf,
  Recovery,
  TypedFail,
  TypedRecoveryFor,
} from "./error_contract.ts";
export { configureLogging } from "./log/process_log.ts";
export type { LoggingOptions } from "./log/logging_options.ts";
export { getLogLevel, type LogLevel, setLogLevel } from "./log/levels.ts";
export {
  type ContextLogger,
  type LogData,
  logger,
  type ServiceLogger,
} from "./log/logger.ts";
export { setSensitiveFields } from "./log/sensitive_fields.ts";
export { prompt, resource, tool } from "./define.ts";
export type {
  PromptArgs,
  PromptDefinition,
  PromptOptions,
  PromptReturn,
  TypedPrompt,
} from "./prompt.ts";
export {
  createRequestContext,
  type RequestContext,
  type RequestContextParams,
  withExtra,
} from "./request_context.ts";
export type {
  ResourceDefinition,
  ResourceOptions,
  ResourceParams,
  ResourceReturn,
  TypedResource,
  UriVariables,
} from "./resource.ts";
export type { JsonSchema } from "./schema.ts";
export type {
  Awaitable,
  HintedValue,
  LiteralHint,
  SdkToolOptions,
  SdkToolReturn,
  ToolContent,
  ToolDefinition,
  ToolHandler,
  ToolInput,
  ToolOptions,
  ToolReturn,
  TypedTool,
} from "./tool.ts";
