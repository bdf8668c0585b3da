/** What the delete_path example needs to know of files. */
import { validationError } from "../errors.ts";

/** Makes a temporary directory with a few files in it. */
export async function sampleDirectory(): Promise<string> {
  const directory = await Deno.makeTempDir({ prefix: "parley-" });
  for (const name of ["draft.txt", "notes.txt", "old.log"]) {
    await Deno.writeTextFile(`${directory}/${name}`, `This is ${name}.\n`);
  }
  return directory;
}

/**
 * The place of a file in a directory, links followed.
 *
 * @throws {McpError} `validationError` when it lies outside.
 */
export async function resolveInside(
  directory: string,
  path: string,
): Promise<string> {
  const root = await Deno.realPath(directory);
  const [parent, name] = splitPath(path);
  const folder = await Deno.realPath(`${root}/${parent}`).catch(() => "");
  if (folder !== root && !folder.startsWith(`${root}/`)) {
    throw validationError(`${path} is not inside the directory served`);
  }
  if (name === "" || name === "." || name === "..") {
    throw validationError(`${path} does not name a file`);
  }
  return `${folder}/${name}`;
}

function splitPath(path: string): [parent: string, name: string] {
  const slash = path.lastIndexOf("/");
  return [path.slice(0, slash + 1), path.slice(slash + 1)];
}

/** The SHA-256 of a file, hexadecimal; `undefined` when there is no file. */
export async function hashOf(file: string): Promise<string | undefined> {
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    // A link could lead out of the directory; only files themselves count.
    if (!(await Deno.lstat(file)).isFile) return undefined;
    bytes = await Deno.readFile(file);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
  const hash = await crypto.subtle.digest("SHA-256", bytes);
  return Array.from(
    new Uint8Array(hash),
    (byte) => byte.toString(16).padStart(2, "0"),
  ).join("");
}
