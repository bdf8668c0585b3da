import type {
  Annotations,
  Icon,
  InferOutput,
  InputRequiredResult,
  ReadResourceResult,
  Resource,
  StandardSchemaV1,
} from "../types.ts";
import type { CompletionCallbacks } from "./completion.ts";
import type { Context, HandlerContext } from "./context.ts";
import type { ErrorContract, ReasonOf } from "./error_contract.ts";
import type { CacheHint } from "./cache_hint.ts";
import type { Awaitable } from "./tool.ts";

/** What a resource's handler may return. */
export type ResourceReturn =
  | string
  | Uint8Array
  | ReadResourceResult
  | Readonly<Record<string, unknown>>
  | readonly unknown[];

/**
 * The variables of a URI template, decoded. Their names follow from a template
 * that is written as a literal; one that is put together at run time may have
 * any. Those of `{?x}`, `{&x}` and `{;x}` may be left out of a URI; several in
 * one pair of braces are several such pairs.
 *
 * Clients choose them: once decoded, any may hold `/` and `..`, the `{name}` of
 * `file:///docs/{name}` too. A handler that opens files has to check that the path
 * stays where it should (server/resources, Security Considerations).
 *
 * @typeParam U The template.
 */
export type UriVariables<U extends string = string> = string extends U
  ? Readonly<Record<string, string>>
  : U extends `${string}{${infer E}}${infer Rest}` ?
      & (E extends `${infer First},${infer More}`
        ? E extends `${infer Operator extends "?" | "&" | ";"}${string}`
          ? UriVariables<`{${First}}`> & UriVariables<`{${Operator}${More}}`>
        : UriVariables<`{${First}}`> & UriVariables<`{${More}}`>
        : E extends `${infer Name}*` ? UriVariables<`{${Name}}`>
        : E extends `${infer Name}:${string}` ? UriVariables<`{${Name}}`>
        : E extends `${"?" | "&" | ";"}${infer Name}`
          ? { readonly [N in Name]?: string }
        : E extends `${"+" | "#" | "." | "/"}${infer Name}`
          ? { readonly [N in Name]: string }
        : { readonly [N in E]: string })
      & UriVariables<Rest>
  : Record<never, never>;

/** The parameters a resource's handler is given. */
export type ResourceParams<P, U extends string = string> = P extends
  StandardSchemaV1 ? InferOutput<P> : UriVariables<U>;

/** What {@linkcode resource} takes. */
export interface ResourceOptions<
  P extends StandardSchemaV1 | undefined,
  C extends readonly ErrorContract[],
  U extends string = string,
> {
  /** A stable name; the URI by default. */
  name?: string;
  /** A name for people. */
  title?: string;
  /** What it holds, for the model. */
  description?: string;
  /** The media type of its contents. */
  mimeType?: string;
  /** Its size in bytes, where it is known. */
  size?: number;
  /** For whom it is, and how important. */
  annotations?: Annotations;
  /** Pictures for people. */
  icons?: readonly Icon[];
  /** Further metadata, sent with the definition. */
  _meta?: Readonly<Record<string, unknown>>;
  /** Validates and types the variables of the template. */
  params?: P;
  /** The failures it may answer with. */
  errors?: C;
  /** Scopes the caller must have. Checked before the handler runs. */
  auth?: readonly string[];
  /** How long its contents may be cached, and by whom. */
  cacheHint?: CacheHint;
  /** Lists the resources that a template stands for. */
  list?: (ctx: Context) => Awaitable<readonly Resource[]>;
  /** Completes the variables of a template. */
  complete?: CompletionCallbacks;
  /**
   * Reads it. Runs again from the top after each round of input.
   *
   * @param params The variables of the template.
   * @param ctx Who calls; `ctx.uri` is the URI that is read.
   */
  handler(
    params: ResourceParams<P, U>,
    ctx: HandlerContext<ReasonOf<C>>,
  ): Awaitable<ResourceReturn | InputRequiredResult>;
}

/**
 * A resource with the types of its variables, so that a test can call its
 * handler as it is.
 */
export interface TypedResource<
  P extends StandardSchemaV1 | undefined,
  C extends readonly ErrorContract[],
  U extends string = string,
> extends Omit<ResourceOptions<P, C, U>, "params"> {
  /** Tells the families of definitions apart. */
  readonly kind: "resource";
  /** The URI, or the RFC 6570 template of the URIs. */
  readonly uri: U;
  /** Validates the variables of the template. */
  readonly params: P;
}

/** A resource or a template of resources, as {@linkcode resource} makes it. */
export interface ResourceDefinition {
  /** Tells the families of definitions apart. */
  readonly kind: "resource";
  /** The URI, or the RFC 6570 template of the URIs. */
  readonly uri: string;
  /** A stable name. */
  readonly name?: string | undefined;
  /** A name for people. */
  readonly title?: string | undefined;
  /** What it holds. */
  readonly description?: string | undefined;
  /** The media type of its contents. */
  readonly mimeType?: string | undefined;
  /** Its size in bytes. */
  readonly size?: number | undefined;
  /** For whom it is, and how important. */
  readonly annotations?: Annotations | undefined;
  /** Pictures for people. */
  readonly icons?: readonly Icon[] | undefined;
  /** Further metadata. */
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
  /** Validates the variables of the template. */
  readonly params?: StandardSchemaV1 | undefined;
  /** The failures it may answer with. */
  readonly errors?: readonly ErrorContract[] | undefined;
  /** Scopes the caller must have. */
  readonly auth?: readonly string[] | undefined;
  /** How long its contents may be cached, and by whom. */
  readonly cacheHint?: CacheHint | undefined;
  /** Lists the resources that a template stands for. */
  readonly list?:
    | ((ctx: Context) => Awaitable<readonly Resource[]>)
    | undefined;
  /** Completes the variables of a template. */
  readonly complete?: CompletionCallbacks | undefined;
  /** Reads it. */
  readonly handler: (params: never, ctx: never) => unknown;
}
