/**
 * Callers with tokens: who calls is on `ctx.auth`, tools name the scopes they
 * take, and lists show callers what they may use.
 */
import { type App, checkScopes, createApp, tool, z } from "../mod.ts";

const whoami = tool("whoami", {
  description: "Say who calls.",
  handler: (_input, { auth, tenantId }) =>
    `${auth?.sub} of ${tenantId}, with ${
      auth?.scopes.join(" ") || "no scopes"
    }`,
});

const reset = tool("reset", {
  description: "Reset the counters.",
  auth: ["counters:write"],
  handler: () => "Reset",
});

const read = tool("read", {
  description: "Read an area.",
  input: z.object({ area: z.string() }),
  handler({ area }, ctx) {
    checkScopes(ctx, [`${area}:read`]); // Known only now.
    return `All of ${area}`;
  },
});

/** Makes the server. @param secret What tokens are signed with. */
export function tokenApp(secret: string): App {
  return createApp({
    name: "tokens",
    version: "1.0.0",
    tools: [whoami, reset, read],
    listFilter: "scopes",
    auth: { mode: "jwt", secret, issuer: "https://issuer.example" },
  });
}
