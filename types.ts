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
/** One message of a prompt. */
export type PromptMessage = sdk.PromptMessage;
/** The result of reading a resource. */
export type ReadResourceResult = sdk.ReadResourceResult;
/** A resource as lists show it. */
export type Resource = sdk.Resource;
/** A root of the client. */
export type Root = sdk.Root;
/** A schema of the Standard Schema convention. */
export type StandardSchemaV1<Input = unknown, Output = Input> =
  sdk.StandardSchemaV1<Input, Output>;
/** A schema of that convention that also gives JSON Schema. */
export type StandardSchemaWithJSON<Input = unknown, Output = Input> =
  sdk.StandardSchemaWithJSON<Input, Output>;
/** Hints on what calling a tool means. */
export type ToolAnnotations = sdk.ToolAnnotations;
/** The type a schema gives back. */
export type InferOutput<S extends StandardSchemaV1> =
  sdk.StandardSchemaV1.InferOutput<S>;
