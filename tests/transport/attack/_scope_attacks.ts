import { modernRequest } from "../modern/_client.ts";
import { type Attack, callWith, credentials, METADATA } from "./_target.ts";

function insufficient(scope: string): Record<string, string> {
  return {
    error: "insufficient_scope",
    error_description: `This needs the scopes: ${scope}`,
    scope,
    resource_metadata: METADATA,
  };
}

function refused(
  name: string,
  request: Attack["request"],
  scope: string,
): Attack {
  return {
    name,
    request,
    status: 403,
    code: 403,
    challenge: insufficient(scope),
  };
}

const WRITE = "mcp files:write";

async function as(
  scope: string,
  name: string,
  args: unknown = {},
): Promise<Request> {
  return callWith(await credentials({ scope }), name, args);
}

/** Who is let in, and wants more than the token grants. */
export const scopeAttacks: readonly Attack[] = [
  refused(
    "a valid token without the scope every call needs",
    () => as("files:read files:write", "read"),
    "mcp",
  ),
  refused("a tool of another scope", () => as("mcp", "write"), WRITE),
  refused(
    "a scope that begins alike",
    () => as("mcp files:writes files:write:all", "write"),
    WRITE,
  ),
  refused(
    "a scope in other capitals",
    () => as("mcp Files:Write", "write"),
    WRITE,
  ),
  refused(
    "scopes that are no strings",
    async () =>
      callWith(
        await credentials({ scope: "mcp", scp: [["files:write"]] }),
        "write",
      ),
    WRITE,
  ),
  refused(
    "a scope found missing at run time",
    () => as("mcp files:read", "dynamic", { scope: "files:delete" }),
    "mcp files:read files:delete",
  ),
  refused(
    "a prompt of another scope",
    async () =>
      modernRequest("prompts/get", { name: "brief" }, {
        headers: await credentials(),
      }),
    WRITE,
  ),
  refused(
    "a resource of another scope",
    async () =>
      modernRequest("resources/read", { uri: "secret://plan" }, {
        headers: await credentials(),
      }),
    WRITE,
  ),
  {
    name: "a header that claims scopes",
    request: async () =>
      callWith(
        {
          ...await credentials(),
          "x-scopes": "files:write",
          scope: "files:write",
        },
        "write",
      ),
    status: 403,
    code: 403,
    challenge: insufficient(WRITE),
  },
];
