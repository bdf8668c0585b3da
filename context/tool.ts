import type {
  CallToolResult,
  ContentBlock,
  Icon,
  InferInput,
  InferOutput,
  InputRequiredResult,
  StandardSchemaV1,
  ToolAnnotations,
} from "../types.ts";
import type { EnrichmentShape, HandlerContext } from "./context.ts";
import type { ErrorContract, ReasonOf } from "./error_contract.ts";

/** A value, or a promise of it. */
export type Awaitable<T> = T | Promise<T>;

/** What the handler of a tool without an output schema may return. */
export type ToolContent =
  | string
  | ContentBlock
  | readonly ContentBlock[]
  | CallToolResult
  | void;

/** What a tool's handler is given: the validated arguments. */
export type ToolInput<I> = I extends StandardSchemaV1 ? InferOutput<I>
  : Record<string, never>;

/** What a tool's handler returns: its output, or content. */
export type ToolReturn<O> = [O] extends [StandardSchemaV1] ? InferInput<O>
  : ToolContent;

/**
 * Nothing that a handler could return. Where a handler has no parameters, its
 * return value is looked at before the schema is known; this tells the compiler
 * to keep `"a"` as `"a"`, and not as a string.
 */
export interface LiteralHint {
  /** Keeps every value from being one. */
  readonly "": never;
  /** Literals and tuples, at any depth. */
  readonly [key: string]: HintedValue;
}

/**
 * A value within a {@linkcode LiteralHint}. Numbers are left out: a hint would
 * keep the `0` of `list.reduce((sum, n) => sum + n, 0)` from being a number.
 */
export type HintedValue =
  | ""
  | false
  | null
  | LiteralHint
  | []
  | [HintedValue, ...HintedValue[]];

/**
 * Does the work of a tool.
 *
 * @typeParam I The schema of the arguments.
 * @typeParam O The schema of the result.
 * @typeParam C The declared failures.
 * @typeParam E The declared enrichment.
 */
// A condition, so that the compiler knows the schemas before it reads the
// handler: only then do literals in what it returns keep their types.
export type ToolHandler<
  I extends StandardSchemaV1 | undefined,
  O extends StandardSchemaV1 | undefined,
  C extends readonly ErrorContract[],
  E extends EnrichmentShape,
> = (
  input: ToolInput<I>,
  ctx: HandlerContext<ReasonOf<C>, E>,
) => Awaitable<ToolReturn<O> | InputRequiredResult | LiteralHint>;

/** What {@linkcode tool} takes. */
export interface ToolOptions<
  I extends StandardSchemaV1 | undefined,
  O extends StandardSchemaV1 | undefined,
  C extends readonly ErrorContract[],
  E extends EnrichmentShape,
> {
  /** What the tool does, for the model. */
  description?: string;
  /** A name for people. */
  title?: string;
  /** The arguments; an object schema. None by default. */
  input?: I;
  /** The result; becomes `structuredContent`. */
  output?: O;
  /** The failures it may answer with. */
  errors?: C;
  /** Fields that `ctx.enrich` may add to the result. */
  enrichment?: E;
  /** Hints on what calling it means, such as `destructiveHint`. */
  annotations?: ToolAnnotations;
  /** Pictures for people. */
  icons?: readonly Icon[];
  /** Further metadata, sent with the definition. */
  _meta?: Readonly<Record<string, unknown>>;
  /** Scopes the caller must have. Checked before the handler runs. */
  auth?: readonly string[];
  /** Writes the output as content; its JSON text by default. */
  format?: (output: InferOutput<O>) => string | readonly ContentBlock[];
  /**
   * Does the work. Runs again from the top after each round of input.
   *
   * @param input The validated arguments.
   * @param ctx Who calls, and everything else a handler needs.
   */
  handler: ToolHandler<I, O, C, E>;
}

/**
 * What {@linkcode tool} takes where the handler is given apart: the shape of the
 * official SDK's `registerTool`. Its handlers return content or whole results;
 * to return a value that a schema describes, declare `output` instead.
 */
export interface SdkToolOptions<
  I extends StandardSchemaV1 | undefined,
  O extends StandardSchemaV1 | undefined,
> {
  /** A name for people. */
  title?: string;
  /** What the tool does, for the model. */
  description?: string;
  /**
   * The arguments; an object schema. Without one the handler is given the
   * context alone.
   */
  inputSchema?: I;
  /**
   * What the `structuredContent` of a result must be; a result without it, or
   * with another, fails the call.
   */
  outputSchema?: O;
  /** Hints on what calling it means, such as `destructiveHint`. */
  annotations?: ToolAnnotations;
  /** Pictures for people. */
  icons?: readonly Icon[];
  /** Further metadata, sent with the definition. */
  _meta?: Readonly<Record<string, unknown>>;
}

/**
 * What the handler of a tool in the official SDK's shape returns: a whole
 * result where its structure is declared, else also plain content.
 */
export type SdkToolReturn<O> = Awaitable<
  | ([O] extends [StandardSchemaV1] ? CallToolResult : ToolContent)
  | InputRequiredResult
>;

/**
 * A tool with the types of its schemas, so that a test can call its handler as
 * it is.
 */
export interface TypedTool<
  I extends StandardSchemaV1 | undefined,
  O extends StandardSchemaV1 | undefined,
  C extends readonly ErrorContract[],
  E extends EnrichmentShape,
> extends Omit<ToolOptions<I, O, C, E>, "input" | "output"> {
  /** Tells the families of definitions apart. */
  readonly kind: "tool";
  /** The name it is called by. */
  readonly name: string;
  /** The arguments. */
  readonly input: I;
  /** The result. */
  readonly output: O;
}

/** A tool, as {@linkcode tool} makes it. */
export interface ToolDefinition {
  /** Tells the families of definitions apart. */
  readonly kind: "tool";
  /** The name it is called by. */
  readonly name: string;
  /** What it does. */
  readonly description?: string | undefined;
  /** A name for people. */
  readonly title?: string | undefined;
  /** The arguments. */
  readonly input?: StandardSchemaV1 | undefined;
  /** The result. */
  readonly output?: StandardSchemaV1 | undefined;
  /** The structure of whole results, of a tool in the official SDK's shape. */
  readonly outputSchema?: StandardSchemaV1 | undefined;
  /** The failures it may answer with. */
  readonly errors?: readonly ErrorContract[] | undefined;
  /** Fields that may be added to the result. */
  readonly enrichment?: EnrichmentShape | undefined;
  /** Hints on what calling it means. */
  readonly annotations?: ToolAnnotations | undefined;
  /** Pictures for people. */
  readonly icons?: readonly Icon[] | undefined;
  /** Further metadata. */
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
  /** Scopes the caller must have. */
  readonly auth?: readonly string[] | undefined;
  /** Writes the output as content. */
  readonly format?:
    | ((output: never) => string | readonly ContentBlock[])
    | undefined;
  /** Does the work. */
  readonly handler: (input: never, ctx: never) => unknown;
}
