import { tool, type ToolDefinition } from "../../mod.ts";
import { PNG, WAV } from "./media.ts";

const simpleText = tool("test_simple_text", {
  description: "Returns a line of text.",
  handler: () => "This is a simple text response for testing.",
});

const image = tool("test_image_content", {
  description: "Returns an image.",
  handler(_args, ctx) {
    ctx.content.image(PNG, "image/png");
  },
});

const audio = tool("test_audio_content", {
  description: "Returns a sound.",
  handler(_args, ctx) {
    ctx.content.audio(WAV, "audio/wav");
  },
});

const embeddedResource = tool("test_embedded_resource", {
  description: "Returns a resource within its content.",
  handler(_args, ctx) {
    ctx.content({
      type: "resource",
      resource: {
        uri: "test://embedded-resource",
        mimeType: "text/plain",
        text: "This is an embedded resource content.",
      },
    });
  },
});

const mixedContent = tool("test_multiple_content_types", {
  description: "Returns an image, a resource and text.",
  handler(_args, ctx) {
    ctx.content.image(PNG, "image/png");
    ctx.content({
      type: "resource",
      resource: {
        uri: "test://mixed-content-resource",
        mimeType: "application/json",
        text: JSON.stringify({ test: "data", value: 123 }),
      },
    });
    return "Multiple content types test:";
  },
});

const failing = tool("test_error_handling", {
  description: "Fails, as tools may.",
  handler() {
    throw new Error("This tool intentionally returns an error for testing");
  },
});

/** Tools that show the kinds of content a result can have. */
export const contentTools: readonly ToolDefinition[] = [
  simpleText,
  image,
  audio,
  embeddedResource,
  mixedContent,
  failing,
];
