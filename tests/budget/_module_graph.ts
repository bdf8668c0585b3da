interface Dependency {
  readonly code?: { readonly specifier?: string };
  readonly isDynamic?: boolean;
}

interface Graph {
  readonly roots: readonly string[];
  readonly modules: readonly {
    readonly specifier: string;
    readonly size?: number;
    readonly dependencies?: readonly Dependency[];
  }[];
  readonly redirects: Readonly<Record<string, string>>;
}

const CONFIG = new URL("../../deno.json", import.meta.url);

async function graphOf(path: string): Promise<Graph> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", "--config", Deno.realPathSync(CONFIG), path],
    stdin: "null",
  }).output();
  if (code === 0) return JSON.parse(new TextDecoder().decode(stdout)) as Graph;
  throw new Error(new TextDecoder().decode(stderr));
}

/**
 * The modules that are loaded before the first statement of a file runs: what
 * it imports, and what that imports, without types and `import()`.
 */
export async function modulesAtStart(path: string): Promise<Set<string>> {
  return reachable(await graphOf(path), false);
}

/** The same with what is behind `import()`, which Deno reads at the start, too. */
export async function modulesRead(path: string): Promise<Set<string>> {
  return reachable(await graphOf(path), true);
}

function reachable(graph: Graph, later: boolean): Set<string> {
  const { roots, modules, redirects } = graph;
  const dependencies = new Map(
    modules.map((module) => [module.specifier, module.dependencies ?? []]),
  );
  const loaded = new Set<string>();
  const next = [...roots];
  for (let name = next.pop(); name !== undefined; name = next.pop()) {
    const module = redirects[name] ?? name;
    if (loaded.has(module)) continue;
    loaded.add(module);
    for (const { code, isDynamic } of dependencies.get(module) ?? []) {
      if ((later || isDynamic !== true) && code?.specifier !== undefined) {
        next.push(code.specifier);
      }
    }
  }
  return loaded;
}

/**
 * The modules that are the first to import another one of the same project,
 * in the order in which Deno loads them, with their sizes in bytes.
 */
export async function firstImporters(
  path: string,
): Promise<Map<string, number>> {
  const { roots, modules } = await graphOf(path);
  const known = new Map(modules.map((module) => [module.specifier, module]));
  const found = new Set(roots);
  const first = new Map<string, number>();
  // A set being walked also yields what is added meanwhile.
  for (const name of found) {
    const { size = 0, dependencies = [] } = known.get(name)!;
    for (const { code, isDynamic } of dependencies) {
      const target = code?.specifier;
      if (isDynamic === true || !target?.startsWith("file:")) continue;
      if (found.has(target)) continue;
      found.add(target);
      first.set(name, size);
    }
  }
  return first;
}
