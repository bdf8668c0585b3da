import { inputRequired, tool, type ToolDefinition, z } from "../../mod.ts";

const Name = z.object({ name: z.string() });
const Confirm = z.object({ ok: z.boolean() });

function userMessage(text: string) {
  return { role: "user" as const, content: { type: "text" as const, text } };
}

const elicitation = tool("test_input_required_result_elicitation", {
  description: "Asks for a name, and greets.",
  async handler(_args, ctx) {
    const { name } = await ctx.ask("user_name", {
      message: "What is your name?",
      schema: Name,
    });
    return `Hello, ${name}!`;
  },
});

const sampling = tool("test_input_required_result_sampling", {
  description: "Asks the client's model for a capital.",
  async handler(_args, ctx) {
    const { content } = await ctx.ask("capital_question", {
      sampling: {
        messages: [userMessage("What is the capital of France?")],
        maxTokens: 100,
      },
    });
    return `The model said: ${JSON.stringify(content)}`;
  },
});

const listRoots = tool("test_input_required_result_list_roots", {
  description: "Asks for the client's roots.",
  async handler(_args, ctx) {
    const roots = await ctx.ask("client_roots", { roots: true });
    return `Roots: ${roots.map(({ uri }) => uri).join(", ")}`;
  },
});

const requestState = tool("test_input_required_result_request_state", {
  description: "Asks, and finds its own state with the answer.",
  handler(_args, ctx) {
    const answer = ctx.inputs.accepted("confirm", Confirm);
    if (answer !== undefined && ctx.inputs.state() === "asked") {
      return `state-ok, confirmed: ${answer.ok}`;
    }
    return ctx.requestInput({
      inputRequests: {
        confirm: inputRequired.elicit({
          message: "Please confirm",
          requestedSchema: Confirm,
        }),
      },
      requestState: "asked",
    });
  },
});

const multipleInputs = tool("test_input_required_result_multiple_inputs", {
  description: "Asks the person and the model, and for roots, all at once.",
  handler(_args, ctx) {
    const name = ctx.inputs.accepted("user_name", Name);
    const greeting = ctx.inputs.view("greeting");
    const roots = ctx.inputs.view("client_roots");
    if (
      name !== undefined && greeting.kind === "sampling" &&
      roots.kind === "roots"
    ) {
      return `${name.name} has ${roots.roots.length} roots.`;
    }
    return ctx.requestInput({
      inputRequests: {
        user_name: inputRequired.elicit({
          message: "What is your name?",
          requestedSchema: Name,
        }),
        greeting: inputRequired.createMessage({
          messages: [userMessage("Write a greeting")],
          maxTokens: 50,
        }),
        client_roots: inputRequired.listRoots(),
      },
      requestState: "asked",
    });
  },
});

const Color = z.object({ color: z.string() });

const multiRound = tool("test_input_required_result_multi_round", {
  description: "Asks for a name, and then for a color.",
  handler(_args, ctx) {
    // The name proven by the first round is the state of the second.
    const state = ctx.inputs.state();
    const known = state?.startsWith("name:") ? state.slice(5) : undefined;
    const color = ctx.inputs.accepted("step2", Color);
    if (known !== undefined && color !== undefined) {
      return `${known} likes ${color.color}.`;
    }
    const name = known ?? ctx.inputs.accepted("step1", Name)?.name;
    if (name === undefined) {
      return ctx.requestInput({
        inputRequests: {
          step1: inputRequired.elicit({
            message: "Step 1: what is your name?",
            requestedSchema: Name,
          }),
        },
        requestState: "begun",
      });
    }
    return ctx.requestInput({
      inputRequests: {
        step2: inputRequired.elicit({
          message: `Step 2: what is your favorite color, ${name}?`,
          requestedSchema: Color,
        }),
      },
      requestState: `name:${name}`,
    });
  },
});

const tamperedState = tool("test_input_required_result_tampered_state", {
  description: "Asks with a state that nobody but the server can write.",
  handler(_args, ctx) {
    const answer = ctx.inputs.accepted("confirm", Confirm);
    if (answer !== undefined && ctx.inputs.state() === "sealed") {
      return `Confirmed: ${answer.ok}`;
    }
    return ctx.requestInput({
      inputRequests: {
        confirm: inputRequired.elicit({
          message: "Please confirm",
          requestedSchema: Confirm,
        }),
      },
      requestState: "sealed",
    });
  },
});

const capabilities = tool("test_input_required_result_capabilities", {
  description: "Asks whoever the client has: its person, or else its model.",
  async handler(_args, ctx) {
    if (ctx.clientCapabilities?.elicitation) {
      const { name } = await ctx.ask("person", {
        message: "What is your name?",
        schema: Name,
      });
      return `The person is ${name}.`;
    }
    const { model } = await ctx.ask("model", {
      sampling: { messages: [userMessage("Who are you?")], maxTokens: 50 },
    });
    return `The model is ${model}.`;
  },
});

/** Tools that stop, ask, and go on when the call comes again with the answer. */
export const inputTools: readonly ToolDefinition[] = [
  elicitation,
  sampling,
  listRoots,
  requestState,
  multipleInputs,
  multiRound,
  tamperedState,
  capabilities,
];
