/** The least that a server with schemas can load: `deno serve` and zod. */

import { z } from "zod";

const Call = z.object({
  id: z.number(),
  params: z.object({ arguments: z.object({ name: z.string() }) }),
});

async function handle(request: Request): Promise<Response> {
  const { id, params } = Call.parse(await request.json());
  const greeting = { greeting: `Hello, ${params.arguments.name}` };
  return Response.json({
    jsonrpc: "2.0",
    id,
    result: {
      content: [{ type: "text", text: JSON.stringify(greeting) }],
      structuredContent: greeting,
    },
  });
}

export default { fetch: handle };
