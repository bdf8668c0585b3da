import assert from "node:assert/strict";

const ROOT = new URL("../../", import.meta.url);

/** From the leaves up: a module takes from those before it, and from its own. */
const LAYERS = [
  ["errors.ts", "types.ts"],
  ["seal", "state"],
  ["input"],
  ["context"],
  ["transport"],
  ["mod.ts", "stdio.ts", "testing.ts"],
];

interface Dependency {
  code?: { specifier?: string };
  type?: { specifier?: string };
}

/** Every module of the package, and what it imports of the others. */
async function importsOf(): Promise<Map<string, string[]>> {
  const imports = new Map<string, string[]>();
  for (const entry of ["mod.ts", "stdio.ts", "testing.ts"]) {
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["info", "--json", entry],
      cwd: ROOT,
      stderr: "null",
    }).output();
    const { modules } = JSON.parse(new TextDecoder().decode(stdout)) as {
      modules: { specifier: string; dependencies?: Dependency[] }[];
    };
    for (const { specifier, dependencies = [] } of modules) {
      if (!specifier.startsWith(ROOT.href)) continue;
      const targets = dependencies.flatMap(({ code, type }) => [
        code?.specifier,
        type?.specifier,
      ]);
      imports.set(
        nameOf(specifier),
        targets.filter((target) => target?.startsWith(ROOT.href)).map((
          target,
        ) => nameOf(target!)),
      );
    }
  }
  return imports;
}

function nameOf(specifier: string): string {
  return specifier.slice(ROOT.href.length);
}

function layerOf(module: string): number {
  const [first] = module.split("/");
  const layer = LAYERS.findIndex((names) => names.includes(first!));
  assert.notEqual(layer, -1, `${module} belongs to no layer`);
  return layer;
}

/** The modules on a circle, if there is one. */
function circleIn(imports: Map<string, string[]>): string[] | undefined {
  const done = new Set<string>();
  const path: string[] = [];
  function visit(module: string): string[] | undefined {
    if (done.has(module)) return undefined;
    const start = path.indexOf(module);
    if (start !== -1) return path.slice(start);
    path.push(module);
    for (const target of imports.get(module) ?? []) {
      const circle = visit(target);
      if (circle !== undefined) return circle;
    }
    path.pop();
    done.add(module);
    return undefined;
  }
  for (const module of imports.keys()) {
    const circle = visit(module);
    if (circle !== undefined) return circle;
  }
  return undefined;
}

/** Whether a line of code does: not in a comment, and not in a text. */
function namesDeno(line: string): boolean {
  if (/^\s*(\/\/|\/?\*)/.test(line)) return false;
  const at = line.search(/(?<![\w.])Deno\b(?![-\w])/);
  if (at === -1) return false;
  const quotes = line.slice(0, at).match(/["'`]/g) ?? [];
  return quotes.length % 2 === 0 && /\bDeno[.,]/.test(line.slice(at));
}

Deno.test("imports point one way, from the leaves up", async () => {
  const imports = await importsOf();
  assert.ok(imports.size > 100, `${imports.size}`);
  for (const [module, targets] of imports) {
    for (const target of targets) {
      const upwards = layerOf(target) > layerOf(module);
      const beside = layerOf(target) === layerOf(module) &&
        target.split("/")[0] !== module.split("/")[0];
      assert.ok(!upwards, `${module} imports ${target}`);
      assert.ok(
        !beside || LAYERS.at(-1)!.includes(module),
        `${module} imports ${target}`,
      );
    }
  }
});

Deno.test("imports make no circle, types included", async () => {
  assert.equal(circleIn(await importsOf()), undefined);
});

Deno.test("only the few files that must name Deno do", async () => {
  const named: string[] = [];
  for (const module of (await importsOf()).keys()) {
    const source = await Deno.readTextFile(new URL(module, ROOT));
    if (source.split("\n").some(namesDeno)) named.push(module);
  }
  assert.deepEqual(named.sort(), [
    "state/open_kv.ts",
    "stdio.ts",
    "transport/listen_http.ts",
    "transport/process.ts",
    "transport/settings.ts",
    "transport/stdio/claim_stdio.ts",
  ]);
});
