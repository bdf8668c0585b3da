import { createApp, kvState, tool } from "../../mod.ts";

/** A server that cannot start; why is in `FAILING`. */
const reason = Deno.env.get("FAILING");
const app = createApp({
  name: "failing",
  version: "1.0.0",
  tools: [tool("quick", { handler: () => "quick" })],
  health: true,
  ...(reason === "state" && { state: kvState("/nowhere/at/all.db") }),
  ...(reason === "setup" && {
    setup: () => Promise.reject(new Error("the licence has run out")),
  }),
  ...(reason === "oauth" && {
    auth: {
      mode: "oauth",
      issuer: "https://issuer.example.com",
      audience: "api",
    },
  }),
});

export default app;

switch (Deno.args[0]) {
  case "listen":
    await app.listen({ port: 0, hostname: "0.0.0.0" });
    break;
  case "fetch":
    for (let i = 0; i < 3; i++) {
      const response = await app.fetch(new Request("http://localhost/mcp"));
      console.error(response.status, await response.text());
    }
}
