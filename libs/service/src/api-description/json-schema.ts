import { z } from 'zod';

/** A JSON Schema (draft 2020-12) of an API description. */
const jsonSchema = z.record(z.string(), z.unknown());
export type JsonSchema = z.infer<typeof jsonSchema>;

/**
 * `components`: the schemas with an id (`meta({ id })`) within it; `$ref`s lead to them at `#/components/schemas/…`.
 */
const describedSchema = z.object({ schema: jsonSchema, components: z.record(z.string(), jsonSchema) });
export type DescribedSchema = z.infer<typeof describedSchema>;

/** Converts a zod schema to a JSON Schema of what a sender may send (`input`) or a receiver gets (`output`). */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): DescribedSchema {
  // Inside an object it has no `$schema`, and is a reference if it has an id.
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
 * `default` and `examples` of a schema's `meta` apply in both directions. Zod omits them from the input of a schema
 * that transforms, since it takes them for output.
 */
function keepValues(zodSchema: z.core.$ZodType, schema: z.core.JSONSchema.BaseSchema): void {
  const { default: byDefault, examples } = z.globalRegistry.get(zodSchema) ?? {};
  if (byDefault !== undefined) schema['default'] = byDefault;
  if (Array.isArray(examples)) schema['examples'] = examples;
}

/** Removes keywords that distract readers and that clients do not need. */
function tidy(schema: z.core.JSONSchema.BaseSchema): void {
  // Clients must ignore unknown fields.
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  // The pattern of a time is 300 characters long and adds nothing to its format.
  if (schema.format === 'date-time') delete schema.pattern;
  // Numbers in a query string are validated as text and described as numbers.
  if (schema.type !== undefined && schema.type !== 'string') delete schema.pattern;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}
