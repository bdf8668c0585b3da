import {
  type StandardSchemaV1,
  tool,
  type ToolDefinition,
  z,
} from "../../mod.ts";

const Contact = z.strictObject({
  name: z.string().optional(),
  address: z.object({
    street: z.string().optional(),
    city: z.string().optional(),
  }).optional(),
  contactMethod: z.enum(["phone", "email"]).optional(),
  phone: z.string().optional(),
  email: z.string().optional(),
}).refine(({ contactMethod, phone, email }) => {
  if (contactMethod === undefined) return (phone ?? email) !== undefined;
  return (contactMethod === "phone" ? phone : email) !== undefined;
}, "A phone number or an email address is needed, as contactMethod says");

/** The same in JSON Schema 2020-12, which can say what the refinement means. */
const CONTACT_DOCUMENT = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: {
    properties: { contactMethod: { const: "phone" } },
    required: ["contactMethod"],
  },
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};

/** A schema checks with one hand and describes itself with the other. */
function described<S extends z.ZodType>(
  schema: S,
  document: Record<string, unknown>,
): StandardSchemaV1<z.input<S>, z.output<S>> {
  const jsonSchema = { input: () => document, output: () => document };
  const standard = { ...schema["~standard"], jsonSchema };
  return { "~standard": standard };
}

const contact = tool("json_schema_2020_12_tool", {
  description: "Takes arguments that a hand-written JSON Schema describes.",
  input: described(Contact, CONTACT_DOCUMENT),
  handler: ({ name }) => `Noted how to reach ${name ?? "them"}.`,
});

const region = tool("test_custom_header", {
  description: "Takes an argument that clients repeat in a request header.",
  input: z.object({
    region: z.string().meta({ "x-mcp-header": "Region" }).optional(),
  }),
  handler: ({ region }) => `Region: ${region ?? "any"}`,
});

/** Tools whose arguments are more than plain fields. */
export const schemaTools: readonly ToolDefinition[] = [contact, region];
