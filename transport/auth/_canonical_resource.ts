/**
 * The form in which resource identifiers are compared: URLs with a lower-case
 * scheme and host, and without a path that is only a slash, because clients send
 * both forms (specification, Authorization, "Canonical Server URI"). Other strings stay as
 * they are.
 */
export function canonicalResource(value: string): string {
  // deno-lint-ignore no-control-regex
  if (!/^https?:\/\/[^\x00-\x20\x7F]+$/i.test(value)) return value;
  const url = URL.parse(value);
  if (url === null) return value;
  const bare = url.pathname === "/" && url.search === "" && url.hash === "";
  return bare ? url.href.slice(0, -1) : url.href;
}
