/**
 * MCP servers whose handlers can stop in the middle of a call, ask the person
 * at the other end, and go on safely with the answer.
 *
 * ```ts
 * import { createApp, tool, z } from "@parley/mcp";
 *
 * export const greet = tool("greet", {
 *   description: "Greet someone.",
 *   input: z.object({ name: z.string() }),
 *   output: z.object({ greeting: z.string() }),
 *   handler({ name }, ctx) {
 *     ctx.log.info("greeting", { name });
 *     return { greeting: `Hello, ${name}` };
 *   },
 * });
 *
 * export default createApp({ name: "hello", version: "1.0.0", tools: [greet] });
 * ```
 *
 * @module
 */
import "./transport/at_start.ts";
export { z } from "zod";
export * from "./context/mod.ts";
export * from "./errors.ts";
export * from "./input/mod.ts";
export * from "./seal/mod.ts";
export * from "./state/mod.ts";
export * from "./transport/mod.ts";
export type * from "./types.ts";
