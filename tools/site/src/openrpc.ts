import { z } from 'zod';
import { anchorOf, describeValue, details, jsonSchema, linkTo, requiredType } from './json-schema';
import { code, codeBlock, join, table } from './markdown';
import { common, describeSchemas } from './openapi';

const example = z.strictObject({
  name: z.string(),
  params: z.array(z.strictObject({ name: z.string(), value: z.unknown().optional() })),
  result: z.strictObject({ name: z.string(), value: z.unknown().optional() }),
});
const method = z.strictObject({
  name: z.string(),
  summary: z.string(),
  paramStructure: z.string(),
  params: z.array(z.strictObject({ name: z.string(), required: z.boolean(), schema: jsonSchema })),
  result: z.strictObject({ name: z.string(), schema: jsonSchema }),
  errors: z.array(z.strictObject({ $ref: z.string() })),
  examples: z.array(example).default([]),
});
const error = z.strictObject({ code: z.number(), message: z.string(), data: z.unknown().optional() });
const openRpc = common.extend({
  methods: z.array(method),
  components: common.shape.components.extend({ errors: z.record(z.string(), error) }),
});

export function renderOpenRpc(json: unknown): string {
  const { info, methods, components } = openRpc.parse(json);
  const namespaces = [...new Set(methods.map(({ name }) => namespaceOf(name)))];
  return join(
    `# ${info.title}: methods`,
    info.description,
    ...namespaces.flatMap((namespace) => [
      `## ${namespace}`,
      ...methods.filter(({ name }) => namespaceOf(name) === namespace).map((one) => renderMethod(one)),
    ]),
    '## Errors',
    ...Object.entries(components.errors).map(([name, described]) =>
      join(`### ${name} {#${anchorOf('errors', name)}}`, codeBlock(described)),
    ),
    describeSchemas(components.schemas),
  );
}

const namespaceOf = (name: string) => name.split('.')[0] ?? name;

function renderMethod({ name, summary, params, result, errors, examples }: z.infer<typeof method>): string {
  return join(
    `### ${name} {#${anchorOf('method', name)}}`,
    summary,
    table(
      ['Parameter', 'Type', 'Description'],
      params.map((one) => [code(one.name), requiredType(one.schema, one.required), details(one.schema)]),
    ),
    describeValue('Result', result.schema),
    `Errors: ${errors.map(({ $ref }) => linkTo($ref)).join(', ')}`,
    ...examples.map((one) =>
      join(
        'Example of `params` and `result`:',
        codeBlock(Object.fromEntries(one.params.map((param) => [param.name, param.value]))),
        codeBlock(one.result.value),
      ),
    ),
  );
}
