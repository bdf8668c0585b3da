/** One part of a URI template, as it is matched. */
export type TemplatePart = LiteralPart | ValuePart | PairsPart;

/** Text that stands as it is. */
export interface LiteralPart {
  readonly kind: "literal";
  readonly text: string;
}

/** The value of a variable. */
export interface ValuePart {
  readonly kind: "value";
  readonly name: string;
  /** Characters that end it. */
  readonly stop: string;
  /** Whether it may be empty. */
  readonly mayBeEmpty: boolean;
  /** The most characters it may have, decoded. */
  readonly maxLength: number | undefined;
}

/** `name=value` pairs, in any order, all of which may be left out. */
export interface PairsPart {
  readonly kind: "pairs";
  /** What stands before the first pair. */
  readonly first: string;
  /** What stands between pairs. */
  readonly separator: string;
  /** Characters that end the pairs. */
  readonly stop: string;
  /** The variables by name, and whether a name may stand several times. */
  readonly names: ReadonlyMap<string, boolean>;
}

/** A URI template (RFC 6570), read. */
export interface UriTemplate {
  /** Its parts, in order. */
  readonly parts: readonly TemplatePart[];
  /** The names of its variables, in order. */
  readonly variables: readonly string[];
}

interface Operator {
  readonly first: string;
  readonly separator: string;
  /** Characters that end a value. */
  readonly stop: string;
  readonly named: boolean;
}

const OPERATORS: Readonly<Record<string, Operator>> = {
  "": { first: "", separator: ",", stop: "/?#", named: false },
  "+": { first: "", separator: ",", stop: "", named: false },
  "#": { first: "#", separator: ",", stop: "", named: false },
  ".": { first: ".", separator: ".", stop: "/?#", named: false },
  "/": { first: "/", separator: "/", stop: "?#", named: false },
  ";": { first: ";", separator: ";", stop: "/?#", named: true },
  "?": { first: "?", separator: "&", stop: "#", named: true },
  "&": { first: "&", separator: "&", stop: "#", named: true },
};

const VARIABLE =
  /^((?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})(?:[A-Za-z0-9_.]|%[0-9A-Fa-f]{2})*)(?:(\*)|:([1-9]\d{0,3}))?$/;

/** Whether a URI holds template expressions. */
export function isTemplate(uri: string): boolean {
  return uri.includes("{") || uri.includes("}");
}

/**
 * Reads a URI template (RFC 6570).
 *
 * @throws {TypeError} When it is none, or has a variable twice.
 */
export function parseTemplate(template: string): UriTemplate {
  const parts = partsOf(template);
  return { parts, variables: parts.flatMap(namesOf) };
}

function partsOf(template: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  const seen = new Set<string>();
  let rest = template;
  while (rest !== "") {
    const open = rest.indexOf("{");
    const literal = open === -1 ? rest : rest.slice(0, open);
    if (literal.includes("}")) throw refusal(template, 'a "}" opens nothing');
    if (literal !== "") parts.push({ kind: "literal", text: literal });
    if (open === -1) break;
    const close = rest.indexOf("}", open);
    if (close === -1) throw refusal(template, 'a "{" is not closed');
    const expression = rest.slice(open + 1, close);
    for (const part of parseExpression(template, expression)) {
      for (const name of namesOf(part)) {
        if (seen.has(name)) {
          throw refusal(template, `the variable "${name}" stands twice`);
        }
        seen.add(name);
      }
      parts.push(part);
    }
    rest = rest.slice(close + 1);
  }
  return parts;
}

/** The variables of a part, in order. */
function namesOf(part: TemplatePart): readonly string[] {
  if (part.kind === "value") return [part.name];
  return part.kind === "pairs" ? [...part.names.keys()] : [];
}

function parseExpression(
  template: string,
  expression: string,
): TemplatePart[] {
  const symbol = /^[+#./;?&]/.exec(expression)?.[0] ?? "";
  const { first, separator, stop, named } = OPERATORS[symbol]!;
  const specs = expression.slice(symbol.length).split(",").map((spec) => {
    const match = VARIABLE.exec(spec);
    if (match === null) {
      throw refusal(template, `"{${expression}}" is not an expression`);
    }
    const [, name = "", star, length] = match;
    return { name, explode: star !== undefined, length };
  });
  if (named) {
    const names = new Map<string, boolean>();
    for (const { name, explode } of specs) {
      if (names.has(name)) {
        throw refusal(template, `the variable "${name}" stands twice`);
      }
      names.set(name, explode);
    }
    return [{ kind: "pairs", first, separator, stop, names }];
  }
  return specs.flatMap(({ name, explode, length }, index): TemplatePart[] => {
    const text = index === 0 ? first : separator;
    // A list has its separator within the value.
    const ends = explode || (separator === "," && specs.length === 1);
    return [
      ...(text === "" ? [] : [{ kind: "literal", text } as const]),
      {
        kind: "value",
        name,
        stop: ends ? stop : stop + separator,
        mayBeEmpty: symbol === "#",
        maxLength: length === undefined ? undefined : Number(length),
      },
    ];
  });
}

function refusal(template: string, problem: string): TypeError {
  return new TypeError(
    `Cannot use the URI template "${template}": ${problem}`,
  );
}
