import { prompt, type PromptDefinition, z } from "../../mod.ts";
import { PNG } from "./media.ts";

const simple = prompt("test_simple_prompt", {
  description: "A prompt without arguments.",
  handler: () => "This is a simple prompt for testing.",
});

const SUGGESTIONS = ["test", "testValue1", "testValue2", "value"];

const withArguments = prompt("test_prompt_with_arguments", {
  description: "A prompt with two arguments.",
  args: z.object({
    arg1: z.string().describe("The first argument"),
    arg2: z.string().describe("The second argument"),
  }),
  complete: {
    arg1: (typed) => SUGGESTIONS.filter((value) => value.startsWith(typed)),
    arg2: (typed, { arg1 }) =>
      SUGGESTIONS.filter((value) => value.startsWith(typed) && value !== arg1),
  },
  handler: ({ arg1, arg2 }) =>
    `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
});

const withResource = prompt("test_prompt_with_embedded_resource", {
  description: "A prompt that carries a resource.",
  args: z.object({ resourceUri: z.string().describe("The URI it carries") }),
  handler: ({ resourceUri }) => [
    {
      role: "user",
      content: {
        type: "resource",
        resource: {
          uri: resourceUri,
          mimeType: "text/plain",
          text: "Embedded resource content for testing.",
        },
      },
    },
    {
      role: "user",
      content: { type: "text", text: "Please process the resource above." },
    },
  ],
});

const withImage = prompt("test_prompt_with_image", {
  description: "A prompt that carries an image.",
  handler: () => [
    {
      role: "user",
      content: { type: "image", data: PNG, mimeType: "image/png" },
    },
    {
      role: "user",
      content: { type: "text", text: "Please describe the image above." },
    },
  ],
});

const asking = prompt("test_input_required_result_prompt", {
  description: "A prompt that asks for its subject first.",
  async handler(_args, ctx) {
    const { context } = await ctx.ask("user_context", {
      message: "What is it about?",
      schema: z.object({ context: z.string() }),
    });
    return `Prompt about: ${context}`;
  },
});

/** Prompts: plain, with arguments, with content of every kind, and one that asks. */
export const prompts: readonly PromptDefinition[] = [
  simple,
  withArguments,
  withResource,
  withImage,
  asking,
];
