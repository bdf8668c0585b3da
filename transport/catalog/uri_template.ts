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

interface Operator {
  readonly first: string;
  readonly separator: string;
  readonly named: boolean;
  /** What a value may hold, as a regular expression. */
  readonly chars: string;
}

const SEGMENT = "[^/?#&=;,]*";
const OPERATORS: Readonly<Record<string, Operator>> = {
  "": { first: "", separator: ",", named: false, chars: "[^/?#]+" },
  "+": { first: "", separator: ",", named: false, chars: ".+" },
  "#": { first: "#", separator: ",", named: false, chars: ".*" },
  ".": { first: ".", separator: ".", named: false, chars: "[^/?#.]+" },
  "/": { first: "/", separator: "/", named: false, chars: "[^/?#]+" },
  ";": { first: ";", separator: ";", named: true, chars: SEGMENT },
  "?": { first: "?", separator: "&", named: true, chars: "[^&#]*" },
  "&": { first: "&", separator: "&", named: true, chars: "[^&#]*" },
};

const VARIABLE =
  /^([A-Za-z0-9_]|%[0-9A-Fa-f]{2})[A-Za-z0-9_.%]*(\*|:\d{1,4})?$/;

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
  const variables: string[] = [];
  let pattern = "";
  let rest = template;
  while (rest !== "") {
    const open = rest.indexOf("{");
    const literal = open === -1 ? rest : rest.slice(0, open);
    if (literal.includes("}")) throw refusal(template, 'a "}" opens nothing');
    pattern += escape(literal);
    if (open === -1) break;
    const close = rest.indexOf("}", open);
    if (close === -1) throw refusal(template, 'a "{" is not closed');
    pattern += compileExpression(
      template,
      rest.slice(open + 1, close),
      variables,
    );
    rest = rest.slice(close + 1);
  }
  const regexp = new RegExp(`^${pattern}$`, "su");
  return {
    template,
    variables,
    match: (uri) => matchUri(regexp, variables, uri),
  };
}

function compileExpression(
  template: string,
  expression: string,
  variables: string[],
): string {
  const symbol = /^[+#./;?&]/.exec(expression)?.[0] ?? "";
  const { first, separator, named, chars } = OPERATORS[symbol]!;
  const specs = expression.slice(symbol.length).split(",");
  const parts = specs.map((spec) => {
    if (!VARIABLE.test(spec)) {
      throw refusal(template, `"{${expression}}" is not an expression`);
    }
    const name = spec.replace(/(\*|:\d+)$/, "");
    if (variables.includes(name)) {
      throw refusal(template, `the variable "${name}" stands twice`);
    }
    variables.push(name);
    const group = `(?<${groupName(variables.length - 1)}>${chars})`;
    return named ? `${escape(name)}(?:=${group})?` : group;
  });
  if (named) {
    // Query parameters are optional, and taken in the order of the template.
    const [head, ...tail] = parts;
    const others = tail.map((part) => `(?:${escape(separator)}${part})?`);
    return `(?:${escape(first)}${head}${others.join("")})?`;
  }
  return escape(first) + parts.join(escape(separator));
}

function groupName(index: number): string {
  return `v${index}`;
}

function matchUri(
  regexp: RegExp,
  variables: readonly string[],
  uri: string,
): Record<string, string> | undefined {
  const groups = regexp.exec(uri)?.groups;
  if (groups === undefined) return undefined;
  const values: Record<string, string> = {};
  for (const [index, name] of variables.entries()) {
    const raw = groups[groupName(index)];
    if (raw === undefined) continue;
    try {
      Object.defineProperty(values, name, {
        value: decodeURIComponent(raw),
        enumerable: true,
      });
    } catch {
      return undefined;
    }
  }
  return values;
}

function escape(literal: string): string {
  return literal.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

function refusal(template: string, problem: string): TypeError {
  return new TypeError(
    `Cannot use the URI template "${template}": ${problem}`,
  );
}
