import {
  isFormatPattern,
  isFormFormat,
  isJsonObject,
  type JsonObject,
  ownValue,
} from "./_json_schema.ts";

type Check = (value: unknown) => boolean;

/** The keywords that one kind of field can have, and what each must be. */
type Keywords = Readonly<Record<string, Check>>;

const isString: Check = (value) => typeof value === "string";
const isNumber: Check = Number.isFinite;
const isBoolean: Check = (value) => typeof value === "boolean";
const isStrings: Check = (value) =>
  Array.isArray(value) && value.every(isString);
const isChoices: Check = (value) =>
  Array.isArray(value) && value.every(isChoice);
const isChoice: Check = (value) =>
  isJsonObject(value) && isString(value["const"]) && isString(value["title"]);

// The primitive schema definitions of the specification, one for each kind.
const LABELS: Keywords = {
  type: isString,
  title: isString,
  description: isString,
};
const TEXT: Keywords = {
  ...LABELS,
  minLength: isNumber,
  maxLength: isNumber,
  format: isFormFormat,
  default: isString,
};
const ENUM: Keywords = {
  ...LABELS,
  enum: isStrings,
  enumNames: isStrings,
  default: isString,
};
const TITLED_ENUM: Keywords = {
  ...LABELS,
  oneOf: isChoices,
  default: isString,
};
const NUMBER: Keywords = {
  ...LABELS,
  minimum: isNumber,
  maximum: isNumber,
  default: isNumber,
};
const BOOLEAN: Keywords = { ...LABELS, default: isBoolean };
const LIST: Keywords = {
  ...LABELS,
  minItems: isNumber,
  maxItems: isNumber,
  items: isJsonObject,
  default: isStrings,
};
const LIST_ITEMS: Keywords = {
  type: (type) => type === "string",
  enum: isStrings,
};
const TITLED_LIST_ITEMS: Keywords = { anyOf: isChoices };
const CHOICE: Keywords = { const: isString, title: isString };

/**
 * Reads the schema of one field and gives what a form says of it. What a form
 * cannot say is added to the problems, with its path.
 *
 * @param node The JSON Schema of the field.
 * @param path Where it is, for the problems.
 * @param vendor The library that the schema came from.
 * @param problems Where to note what does not fit.
 */
export function formProperty(
  node: unknown,
  path: string,
  vendor: string,
  problems: string[],
): JsonObject {
  const type = isJsonObject(node) ? ownValue(node, "type") : undefined;
  if (!isJsonObject(node) || type === undefined) {
    problems.push(`${path} has no type${keywordsOf(node)}`);
    return {};
  }
  const keywords = keywordsFor(type, node);
  if (keywords === undefined) {
    problems.push(`${path} cannot be of type ${JSON.stringify(type)}`);
    return {};
  }
  const field = pick(
    withoutFormatPattern(node, vendor),
    keywords,
    path,
    problems,
  );
  if (type === "array") {
    field["items"] = listItems(node["items"], path, problems);
  }
  if (Array.isArray(field["oneOf"])) {
    field["oneOf"] = choices(field["oneOf"], `${path}.oneOf`, problems);
  }
  return field;
}

function keywordsOf(node: unknown): string {
  const keywords = isJsonObject(node) ? Object.keys(node) : [];
  const telling = keywords.filter((keyword) => !isAnnotation(keyword));
  return telling.length === 0 ? "" : `, only \`${telling.join("`, `")}\``;
}

function keywordsFor(type: unknown, node: JsonObject): Keywords | undefined {
  switch (type) {
    case "string":
      if (ownValue(node, "enum") !== undefined) return ENUM;
      return ownValue(node, "oneOf") === undefined ? TEXT : TITLED_ENUM;
    case "number":
    case "integer":
      return NUMBER;
    case "boolean":
      return BOOLEAN;
    case "array":
      return LIST;
    default:
      return undefined;
  }
}

function withoutFormatPattern(node: JsonObject, vendor: string): JsonObject {
  const { pattern, ...rest } = node;
  if (pattern === undefined || rest["type"] !== "string") return node;
  const format = rest["format"];
  return isFormFormat(format) && isFormatPattern(format, pattern, vendor)
    ? rest
    : node;
}

/** Takes the keywords over that fit, and notes those that do not. */
function pick(
  node: JsonObject,
  keywords: Keywords,
  path: string,
  problems: string[],
): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(node)) {
    if (value === undefined) continue;
    const check = Object.hasOwn(keywords, key) ? keywords[key] : undefined;
    if (check?.(value)) picked[key] = value;
    else if (check !== undefined) {
      problems.push(`${path}.${key} cannot be ${JSON.stringify(value)}`);
    } else if (!isAnnotation(key)) {
      problems.push(`${path} cannot have \`${key}\``);
    }
  }
  return picked;
}

function listItems(
  items: unknown,
  path: string,
  problems: string[],
): JsonObject {
  const where = `${path}.items`;
  if (!isJsonObject(items)) {
    problems.push(`${where} must be an enum of strings`);
    return {};
  }
  if (items["enum"] === undefined && Array.isArray(items["anyOf"])) {
    const picked = pick(items, TITLED_LIST_ITEMS, where, problems);
    picked["anyOf"] = choices(items["anyOf"], `${where}.anyOf`, problems);
    return picked;
  }
  if (items["type"] !== "string" || items["enum"] === undefined) {
    problems.push(`${where} must be an enum of strings`);
  }
  return pick(items, LIST_ITEMS, where, problems);
}

function choices(
  values: readonly unknown[],
  path: string,
  problems: string[],
): unknown[] {
  return values.map((value, index) =>
    isJsonObject(value)
      ? pick(value, CHOICE, `${path}[${index}]`, problems)
      : value
  );
}

const ANNOTATIONS: ReadonlySet<string> = new Set([
  "$comment",
  "deprecated",
  "description",
  "examples",
  "readOnly",
  "title",
  "writeOnly",
]);

/**
 * Tells whether a JSON Schema keyword only describes, so that leaving it out
 * lets nothing through that it would have refused.
 */
export function isAnnotation(keyword: string): boolean {
  return ANNOTATIONS.has(keyword) || keyword.startsWith("x-");
}
