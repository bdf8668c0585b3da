import type { App } from "./app.ts";
import type { AppOptions } from "./options.ts";
import { ParleyApp } from "./parley_app.ts";

/**
 * Makes an app of its definitions.
 *
 * @example A server
 * ```ts
 * import { createApp, tool, z } from "@parley/mcp";
 * import assert from "node:assert/strict";
 *
 * const greet = tool("greet", {
 *   input: z.object({ name: z.string() }),
 *   output: z.object({ greeting: z.string() }),
 *   handler: ({ name }) => ({ greeting: `Hello, ${name}` }),
 * });
 * const app = createApp({ name: "hello", version: "1.0.0", tools: [greet] });
 * assert.equal((await app.fetch(new Request("http://localhost/"))).status, 404);
 * ```
 *
 * @param options The definitions, and how they are served.
 * @throws {TypeError} When a definition cannot be served; says which and why.
 * @throws {McpError} `configurationError` when an option or a variable is invalid.
 */
export function createApp(options: AppOptions): App {
  return new ParleyApp(options);
}
