import { z } from 'zod';
import { code, codeBlock, join, table } from './markdown';

/** The part of JSON Schema that the descriptions use. An unknown keyword is an error, so that no page lacks it. */
export const jsonSchema = z.strictObject({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  description: z.string().optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  default: z.unknown().optional(),
  example: z.unknown().optional(),
  examples: z.array(z.unknown()).optional(),
  format: z.string().optional(),
  pattern: z.string().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
  required: z.array(z.string()).optional(),
  get properties() {
    return z.record(z.string(), jsonSchema).optional();
  },
  get propertyNames() {
    return jsonSchema.optional();
  },
  get additionalProperties() {
    return z.union([z.boolean(), jsonSchema]).optional();
  },
  get items() {
    return z.union([z.boolean(), jsonSchema]).optional();
  },
  get prefixItems() {
    return z.array(jsonSchema).optional();
  },
  get anyOf() {
    return z.array(jsonSchema).optional();
  },
  get oneOf() {
    return z.array(jsonSchema).optional();
  },
  get allOf() {
    return z.array(jsonSchema).optional();
  },
});

export type JsonSchema = z.infer<typeof jsonSchema>;

/** Returns a type as Markdown, with links to named ones. */
export function typeOf(schema: JsonSchema): string {
  const { $ref, type, items, prefixItems, allOf } = schema;
  const either = schema.anyOf ?? schema.oneOf;
  if ($ref !== undefined) return linkTo($ref);
  if (schema.const !== undefined) return code(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(code).join(', ');
  if (prefixItems !== undefined) return `list of ${prefixItems.map(typeOf).join(', then ')}`;
  if (typeof items === 'object') return `list of ${parenthesized(items)}`;
  if (either !== undefined && type === undefined) return [...new Set(either.map(typeOf))].join(' or ');
  if (allOf !== undefined) return [...new Set(allOf.map(typeOf))].join(' with ');
  return type === undefined ? 'any' : [type].flat().join(' or ');
}

/** Returns the type of a field or parameter, and whether it must be there. */
export function requiredType(schema: JsonSchema, isRequired = false): string {
  return isRequired ? `${typeOf(schema)}; required` : typeOf(schema);
}

function parenthesized(schema: JsonSchema): string {
  const text = typeOf(schema);
  return text.includes(' or ') ? `(${text})` : text;
}

/** Returns the link of `#/components/schemas/Name`, or of another component. */
export function linkTo(reference: string): string {
  const [kind = '', name = ''] = reference.split('/').slice(-2);
  return `[${name}](#${anchorOf(kind, name)})`;
}

export function anchorOf(kind: string, name: string): string {
  return `${kind}-${name.replaceAll('.', '-')}`.toLowerCase();
}

/** Returns what a schema requires of a value besides its type, as sentences. */
export function details(schema: JsonSchema): string {
  const range = (name: string, min?: number, max?: number) => {
    const limits = [min === undefined ? [] : `at least ${min}`, max === undefined ? [] : `at most ${max}`].flat();
    return limits.length === 0 ? '' : `${name}: ${limits.join(', ')}`;
  };
  const examples = [...(schema.examples ?? []), ...(schema.example === undefined ? [] : [schema.example])];
  const items = typeof schema.items === 'object' ? schema.items : undefined;
  return [
    schema.description ?? '',
    schema.format === undefined ? '' : `Format: ${code(schema.format)}`,
    schema.pattern === undefined ? '' : `Pattern: ${code(schema.pattern)}`,
    range('Value', schema.minimum, schema.maximum),
    range('Characters', schema.minLength, schema.maxLength),
    range('Items', schema.minItems, schema.maxItems),
    schema.default === undefined ? '' : `Default: ${code(schema.default)}`,
    examples.length === 0 ? '' : `Example: ${examples.map(code).join(', ')}`,
    ...[items, ...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.prefixItems ?? [])].map((part) =>
      part === undefined ? '' : details(part),
    ),
  ]
    .filter((text) => text !== '')
    .map((text) => text.replace(/(?<![.:])$/, '.'))
    .join(' ');
}

/** Returns the fields of a value at every depth. Named types are described on their own. */
function rowsOf(schema: JsonSchema, path = ''): string[][] {
  const { properties = {}, items, additionalProperties, propertyNames, prefixItems = [] } = schema;
  const named = (name: string) => (path === '' ? name : `${path}.${name}`);
  const keyed = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  return [
    ...Object.entries(properties).flatMap(([name, property]) => [
      [code(named(name)), requiredType(property, schema.required?.includes(name)), details(property)],
      ...rowsOf(property, named(name)),
    ]),
    ...(keyed === undefined
      ? []
      : [
          [code(named('<name>')), typeOf(keyed), details({ ...propertyNames, ...keyed })],
          ...rowsOf(keyed, named('<name>')),
        ]),
    ...(typeof items === 'object' ? rowsOf(items, `${path}[]`) : []),
    ...prefixItems.flatMap((item, index) => rowsOf(item, `${path}[${index}]`)),
    ...[schema.anyOf, schema.oneOf, schema.allOf].flatMap((parts = []) => parts.flatMap((part) => rowsOf(part, path))),
  ];
}

/** Returns a table of the fields, with what is required of several together. */
export function fields(schema: JsonSchema): string {
  const alternatives = (schema.anyOf ?? []).flatMap(({ required }) => (required === undefined ? [] : [required]));
  return join(
    schema.properties !== undefined && alternatives.length > 1
      ? `Required: ${alternatives.map((names) => names.map(code).join(' and ')).join(', or ')}.`
      : '',
    table(['Field', 'Type', 'Description'], rowsOf(schema)),
  );
}

/** Describes a value: its type, rules, fields and examples. */
export function describeValue(title: string, schema: JsonSchema, example?: unknown): string {
  const shown = [example, schema.example, ...(schema.examples ?? [])].filter((one) => one !== undefined);
  const rules = { ...schema, example: undefined, examples: undefined };
  return join(
    `${title}: ${[typeOf(schema), details(rules)].filter((text) => text !== '').join('. ')}`,
    fields(schema),
    ...shown.map((one) => codeBlock(one, typeof one === 'string' ? 'text' : 'json')),
  );
}
