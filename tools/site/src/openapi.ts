import { z } from 'zod';
import { anchorOf, describeValue, details, jsonSchema, requiredType, typeOf } from './json-schema';
import { code, join, listItem, table } from './markdown';

const content = z.record(
  z.string(),
  z.strictObject({ schema: jsonSchema.optional(), example: z.unknown().optional() }),
);
const header = z.strictObject({
  description: z.string().optional(),
  schema: jsonSchema,
  example: z.unknown().optional(),
});
const parameter = header.extend({ name: z.string(), in: z.string(), required: z.boolean().optional() });
const response = z.strictObject({
  description: z.string(),
  content: content.optional(),
  headers: z.record(z.string(), header).optional(),
});
const operation = z.strictObject({
  operationId: z.string(),
  summary: z.string(),
  description: z.string().optional(),
  tags: z.array(z.string()).default(['Operations']),
  parameters: z.array(parameter).default([]),
  requestBody: z
    .strictObject({ content, required: z.boolean().optional(), description: z.string().optional() })
    .optional(),
  responses: z.record(z.string(), response),
  security: z.array(z.record(z.string(), z.unknown())).default([]),
});
const securityScheme = z.looseObject({
  type: z.string(),
  description: z.string().optional(),
  scheme: z.string().optional(),
  in: z.string().optional(),
  name: z.string().optional(),
});

/** What all three formats have. */
export const common = z.looseObject({
  info: z.looseObject({ title: z.string(), description: z.string() }),
  components: z.looseObject({
    schemas: z.record(z.string(), jsonSchema).default({}),
    securitySchemes: z.record(z.string(), securityScheme).default({}),
  }),
});
const openApi = common.extend({ paths: z.record(z.string(), z.record(z.string(), operation)) });

export function renderOpenApi(json: unknown): string {
  const { info, components, paths } = openApi.parse(json);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({ path, method, ...described })),
  );
  const tags = [...new Set(operations.flatMap((one) => one.tags))];
  return join(
    `# ${info.title}`,
    info.description,
    describeCredentials(components.securitySchemes),
    ...tags.flatMap((tag) => [
      `## ${tag}`,
      ...operations.filter((one) => one.tags.includes(tag)).map((one) => renderOperation(one)),
    ]),
    describeSchemas(components.schemas),
  );
}

function renderOperation(described: z.infer<typeof operation> & { path: string; method: string }): string {
  const { method, path, operationId, summary, description, parameters, requestBody, responses, security } = described;
  const credentials = security.map((one) => {
    const names = Object.keys(one).map((name) => `[${name}](#${anchorOf('credentials', name)})`);
    return names.length === 0 ? 'none' : names.join(' and ');
  });
  return join(
    `### ${method.toUpperCase()} ${code(path)} {#${anchorOf('operation', operationId)}}`,
    summary,
    description,
    credentials.length === 0 ? '' : `Credentials: ${credentials.join(', or ')}.`,
    parameters.length === 0 ? '' : '**Parameters**',
    table(
      ['Name', 'In', 'Type', 'Description'],
      parameters.map((one) => [
        code(one.name),
        one.in,
        requiredType(one.schema, one.required),
        details({ ...one.schema, description: one.description, example: one.example ?? one.schema.example }),
      ]),
    ),
    requestBody === undefined ? '' : `**Body**${requestBody.required === true ? '' : ' (optional)'}`,
    requestBody?.description,
    describeContent(requestBody?.content),
    '**Responses**',
    ...Object.entries(responses).map(([status, { description: text, headers = {}, content: body }]) =>
      listItem(
        `**${status}** ${text}`,
        describeContent(body),
        table(
          ['Header', 'Type', 'Description'],
          Object.entries(headers).map(([name, one]) => [
            code(name),
            typeOf(one.schema),
            details({ ...one.schema, description: one.description, example: one.example }),
          ]),
        ),
      ),
    ),
  );
}

/** Errors, whose code the description of the response contains, only have a link. */
function describeContent(body: z.infer<typeof content> = {}): string {
  return join(
    ...Object.entries(body).map(([type, { schema = {}, example }]) => {
      const [base, added] = schema.allOf ?? [];
      const isError = base?.$ref?.endsWith('/Error') === true && added?.properties?.['code'] !== undefined;
      return describeValue(code(type), isError ? base : schema, example);
    }),
  );
}

/** Describes the ways to authenticate. */
export function describeCredentials(schemes: z.infer<typeof common>['components']['securitySchemes']): string {
  const all = Object.entries(schemes);
  return join(
    all.length === 0 ? '' : '## Credentials',
    ...all.map(([name, { type, scheme, in: place, name: of, description }]) =>
      join(
        `### ${name} {#${anchorOf('credentials', name)}}`,
        `${[type, scheme].join(' ').trim()}${place === undefined ? '' : ` in the ${place} ${code(of ?? '')}`}. ${description ?? ''}`,
      ),
    ),
  );
}

/** Describes the types that operations refer to. */
export function describeSchemas(schemas: Record<string, z.infer<typeof jsonSchema>>): string {
  const all = Object.entries(schemas);
  return join(
    all.length === 0 ? '' : '## Types',
    ...all.map(([name, schema]) => join(`### ${name} {#${anchorOf('schemas', name)}}`, describeValue('Type', schema))),
  );
}
