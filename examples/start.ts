/** Serves the delete_path example over HTTP until it is stopped. */
import app, { directory } from "./delete_path.ts";

console.error(`Serving the files of ${directory}`);
const port = Number(Deno.env.get("PORT") ?? 8000);
const { finished } = await app.listen({ port });
await finished;
