import { inputRequired, tool, type ToolDefinition, z } from "../../mod.ts";

const Person = z.object({ username: z.string(), email: z.string() });

const sampling = tool("test_sampling", {
  description: "Has the client's model answer a prompt.",
  input: z.object({ prompt: z.string().describe("What the model is asked") }),
  async handler({ prompt }, ctx) {
    const { content } = await ctx.ask("completion", {
      sampling: {
        messages: [{ role: "user", content: { type: "text", text: prompt } }],
        maxTokens: 100,
      },
    });
    const blocks = Array.isArray(content) ? content : [content];
    const text = blocks.map((block) => block.type === "text" ? block.text : "");
    return `LLM response: ${text.join("")}`;
  },
});

const elicitation = tool("test_elicitation", {
  description: "Asks the person for a name and an address.",
  input: z.object({ message: z.string().describe("What the person is asked") }),
  async handler({ message }, ctx) {
    const answer = await ctx.ask("person", {
      message,
      schema: Person,
      onDecline: "return",
    });
    const { action, content } = "action" in answer
      ? { action: answer.action, content: {} }
      : { action: "accept", content: answer };
    return `User response: ${action} ${JSON.stringify(content)}`;
  },
});

const Defaults = z.object({
  name: z.string().default("John Doe"),
  age: z.int().default(30),
  score: z.number().default(95.5),
  status: z.enum(["active", "inactive", "pending"]).default("active"),
  verified: z.boolean().default(true),
});

const defaults = tool("test_elicitation_sep1034_defaults", {
  description: "Asks with a form whose fields have defaults.",
  async handler(_args, ctx) {
    const answer = await ctx.ask("profile", {
      message: "Please review the profile",
      schema: Defaults,
    });
    return `Profile: ${JSON.stringify(answer)}`;
  },
});

const enums = tool("test_elicitation_sep1330_enums", {
  description: "Asks with a form that has every kind of choice.",
  handler(_args, ctx) {
    const view = ctx.inputs.view("choices");
    if (view.kind === "elicit") {
      return `Choices: ${view.action} ${JSON.stringify(view.content ?? {})}`;
    }
    return ctx.requestInput({
      inputRequests: {
        choices: inputRequired.elicit({
          message: "Please choose",
          requestedSchema: {
            type: "object",
            properties: {
              untitledSingle: {
                type: "string",
                enum: ["option1", "option2", "option3"],
              },
              titledSingle: {
                type: "string",
                oneOf: [
                  { const: "value1", title: "First Option" },
                  { const: "value2", title: "Second Option" },
                  { const: "value3", title: "Third Option" },
                ],
              },
              legacyEnum: {
                type: "string",
                enum: ["opt1", "opt2", "opt3"],
                enumNames: ["Option One", "Option Two", "Option Three"],
              },
              untitledMulti: {
                type: "array",
                items: {
                  type: "string",
                  enum: ["option1", "option2", "option3"],
                },
              },
              titledMulti: {
                type: "array",
                items: {
                  anyOf: [
                    { const: "value1", title: "First Choice" },
                    { const: "value2", title: "Second Choice" },
                    { const: "value3", title: "Third Choice" },
                  ],
                },
              },
            },
          },
        }),
      },
    });
  },
});

const missingCapability = tool("test_missing_capability", {
  description: "Needs the client's model, whether the client has one or not.",
  async handler(_args, ctx) {
    const { model } = await ctx.ask("needed", {
      sampling: {
        messages: [{ role: "user", content: { type: "text", text: "Hello" } }],
        maxTokens: 10,
      },
    });
    return `Answered by ${model}.`;
  },
});

const streaming = tool("test_streaming_elicitation", {
  description: "Reports progress, and then asks.",
  async handler(_args, ctx) {
    ctx.progress(1, 2, "Asking");
    const { ok } = await ctx.ask("go_on", {
      message: "Go on?",
      schema: z.object({ ok: z.boolean() }),
    });
    return ok ? "Went on." : "Stopped.";
  },
});

/** Tools that put one question, whichever way the client takes questions. */
export const questionTools: readonly ToolDefinition[] = [
  sampling,
  elicitation,
  defaults,
  enums,
  missingCapability,
  streaming,
];
