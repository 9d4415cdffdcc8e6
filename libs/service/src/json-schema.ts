import { z } from 'zod';

/** A JSON Schema (draft 2020-12) as a description shows it. */
const jsonSchema = z.record(z.string(), z.unknown());
export type JsonSchema = z.infer<typeof jsonSchema>;

/** `components`: the schemas with an id (`meta({ id })`) within it; `$ref`s lead to them at `#/components/schemas/…`. */
const describedSchema = z.object({ schema: jsonSchema, components: z.record(z.string(), jsonSchema) });
export type DescribedSchema = z.infer<typeof describedSchema>;

/** What a sender may send (`input`) or a receiver gets (`output`), by a zod schema, for an API description. */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): DescribedSchema {
  // Within an object it has no `$schema` of its own, and is a reference where it has an id.
  const { properties = {}, $defs = {} } = z.toJSONSchema(z.object({ schema }), {
    io,
    override: ({ zodSchema, jsonSchema }) => {
      keepValues(zodSchema, jsonSchema);
      tidy(jsonSchema);
    },
  });
  const text = JSON.stringify({ schema: properties['schema'], components: $defs });
  return describedSchema.parse(JSON.parse(text.replaceAll('"$ref":"#/$defs/', '"$ref":"#/components/schemas/')));
}

/**
 * What a schema's own `meta` says of `default` and `examples` holds in both directions. As input of a schema that transforms,
 * zod leaves the two out: it takes them for what the schema gives.
 */
function keepValues(zodSchema: z.core.$ZodType, schema: z.core.JSONSchema.BaseSchema) {
  const { default: byDefault, examples } = z.globalRegistry.get(zodSchema) ?? {};
  if (byDefault !== undefined) schema['default'] = byDefault;
  if (Array.isArray(examples)) schema['examples'] = examples;
}

/** Leaves out what a machine does not need and a person stumbles over. */
function tidy(schema: z.core.JSONSchema.BaseSchema) {
  // Clients are to bear fields that they do not know.
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  // The regular expression of a time says no more than its format does, in 300 characters.
  if (schema.format === 'date-time') delete schema.pattern;
  // Numbers in a query string are checked as text and described as what they mean.
  if (schema.type !== undefined && schema.type !== 'string') delete schema.pattern;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}
