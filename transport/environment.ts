/** Reads environment variables. */
export type Environment = (name: string) => string | undefined;

interface Host {
  readonly Deno?: {
    readonly env: { get(name: string): string | undefined };
    readonly permissions: {
      querySync(
        descriptor: { name: "env"; variable: string },
      ): { readonly state: string };
    };
  };
  readonly process?: { readonly env?: Record<string, string | undefined> };
}

/**
 * Reads an environment variable where the program may, without ever asking
 * for permission: what may not be read is not set.
 */
export function readEnvironment(name: string): string | undefined {
  const host = globalThis as Host;
  const { Deno } = host;
  // Not touched in Deno, which would load its Node compatibility for it.
  if (Deno === undefined) return host.process?.env?.[name];
  const { state } = Deno.permissions.querySync({ name: "env", variable: name });
  return state === "granted" ? Deno.env.get(name) : undefined;
}
