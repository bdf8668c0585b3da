import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

interface Graph {
  modules: {
    specifier: string;
    dependencies?: {
      specifier: string;
      code?: { specifier: string };
      isDynamic?: boolean;
    }[];
  }[];
}

Deno.test("jose is loaded only by an import that runs when a token arrives", async () => {
  const entry = fileURLToPath(
    new URL("../../../transport/auth/create_authenticator.ts", import.meta.url),
  );
  const { stdout, success } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", entry],
    stderr: "null",
  }).output();
  assert(success);
  const graph: Graph = JSON.parse(new TextDecoder().decode(stdout));
  const imports = graph.modules.flatMap((module) => module.dependencies ?? [])
    .filter((one) => one.specifier === "jose" && one.code !== undefined);
  assert(imports.length > 0);
  assert(imports.every((one) => one.isDynamic === true));
});
