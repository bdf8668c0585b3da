import { matchTemplate } from "./match_template.ts";
import { namesOf, parseTemplate } from "./template_parts.ts";

/** A compiled URI template (RFC 6570). */
export interface UriTemplate {
  /** The template as it was written. */
  readonly template: string;
  /** The names of its variables, in order. */
  readonly variables: readonly string[];
  /**
   * Reads the variables out of a URI, percent-decoded.
   *
   * @returns `undefined` when the URI is not one of the template's.
   */
  match(uri: string): Record<string, string> | undefined;
}

/** Whether a URI holds template expressions. */
export function isTemplate(uri: string): boolean {
  return uri.includes("{") || uri.includes("}");
}

/**
 * Compiles a URI template for matching.
 *
 * @throws {TypeError} When it is not a template of RFC 6570.
 */
export function compileUriTemplate(template: string): UriTemplate {
  const parts = parseTemplate(template);
  return {
    template,
    variables: parts.flatMap(namesOf),
    match: (uri) => matchTemplate(parts, uri),
  };
}
