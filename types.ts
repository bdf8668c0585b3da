/**
 * The protocol's own types, as the official SDK declares them: what is written
 * for one is accepted by the other.
 *
 * ```ts
 * import type { ContentBlock } from "@parley/mcp/types";
 *
 * const block: ContentBlock = { type: "text", text: "Hello" };
 * ```
 *
 * @module
 */
import type * as sdk from "@modelcontextprotocol/server";

/** For whom something is, and how important it is. */
export type Annotations = sdk.Annotations;
/** The result of a tool. */
export type CallToolResult = sdk.CallToolResult;
/** What a client can do. */
export type ClientCapabilities = sdk.ClientCapabilities;
/** A block of content: text, an image, audio, a resource or a link to one. */
export type ContentBlock = sdk.ContentBlock;
/** What a client's model is asked. */
export type CreateMessageRequestParams = sdk.CreateMessageRequestParams;
/** What a client's model answered. */
export type CreateMessageResult = sdk.CreateMessageResult;
/** What a client's model answered, tool use included. */
export type CreateMessageResultWithTools = sdk.CreateMessageResultWithTools;
/** A form that a person is asked to fill in. */
export type ElicitRequestFormParams = sdk.ElicitRequestFormParams;
/** A page that a person is asked to open. */
export type ElicitRequestURLParams = sdk.ElicitRequestURLParams;
/** The result of a prompt. */
export type GetPromptResult = sdk.GetPromptResult;
/** A picture for people. */
export type Icon = sdk.Icon;
/** The name and version of a client or server. */
export type Implementation = sdk.Implementation;
/** One question to the client. */
export type InputRequest = sdk.InputRequest;
/** Questions to the client, by key. */
export type InputRequests = sdk.InputRequests;
/** A result that asks for input before there is another one. */
export type InputRequiredResult = sdk.InputRequiredResult;
/** A prompt as lists show it. */
export type Prompt = sdk.Prompt;
/** One message of a prompt. */
export type PromptMessage = sdk.PromptMessage;
/** The result of reading a resource. */
export type ReadResourceResult = sdk.ReadResourceResult;
/** A resource as lists show it. */
export type Resource = sdk.Resource;
/** A template of resources as lists show it. */
export type ResourceTemplate = sdk.ResourceTemplateType;
/** A root of the client. */
export type Root = sdk.Root;
/** A tool as lists show it. */
export type Tool = sdk.Tool;
/** Hints on what calling a tool means. */
export type ToolAnnotations = sdk.ToolAnnotations;
/**
 * A schema that validates a value, after the Standard Schema convention
 * (https://standardschema.dev). Zod, Valibot and ArkType schemas are such.
 *
 * @typeParam Input What the schema accepts.
 * @typeParam Output What it gives back.
 */
export interface StandardSchemaV1<Input = unknown, Output = Input> {
  /** The contract of the convention. */
  readonly "~standard": StandardProps<Input, Output>;
}

/** The contract of a {@linkcode StandardSchemaV1}. */
export interface StandardProps<Input = unknown, Output = Input> {
  /** The version of the convention. */
  readonly version: 1;
  /** The library the schema comes from. */
  readonly vendor: string;
  /** Checks a value, now or later. */
  readonly validate: (
    value: unknown,
  ) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
  /** Never there at run time; carries the types. */
  readonly types?:
    | { readonly input: Input; readonly output: Output }
    | undefined;
}

/** A {@linkcode StandardSchemaV1} that also gives JSON Schema. */
export interface StandardSchemaWithJSON<Input = unknown, Output = Input> {
  /** The contract of the convention, and the converter. */
  readonly "~standard": StandardProps<Input, Output> & {
    /** Converts the schema. */
    readonly jsonSchema: JsonSchemaConverter;
  };
}

/** Converts a schema to JSON Schema, as Standard JSON Schema has it. */
export interface JsonSchemaConverter {
  /** Describes what the schema accepts. @throws When it cannot be expressed. */
  readonly input: (
    options: { readonly target: "draft-2020-12" },
  ) => Record<string, unknown>;
  /** Describes what the schema gives back. @throws When it cannot be expressed. */
  readonly output: (
    options: { readonly target: "draft-2020-12" },
  ) => Record<string, unknown>;
}

/** What a schema gives: a value, or what is wrong with it. */
export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

/** One thing that is wrong with a value. */
export interface SchemaIssue {
  /** What is wrong. */
  readonly message: string;
  /** Where, from the root of the value. */
  readonly path?:
    | readonly (PropertyKey | { readonly key: PropertyKey })[]
    | undefined;
}

/** The type a schema accepts. */
export type InferInput<S> = S extends StandardSchemaV1<infer I, infer _O> ? I
  : never;

/** The type a schema gives back. */
export type InferOutput<S> = S extends StandardSchemaV1<infer _I, infer O> ? O
  : never;
