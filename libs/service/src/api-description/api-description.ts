import { type INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { z } from 'zod';
import { bodyErrors, errorComponent } from './response-decorator';
import { jsonSchemaOf } from './json-schema';

/** How credentials are sent: an entry of `securitySchemes` in OpenAPI. */
export type SecurityScheme = Parameters<DocumentBuilder['addSecurity']>[1];

/** A response header with a string value. */
export interface ResponseHeader {
  description: string;
  example?: string;
}

export interface ApiDescription {
  title: string;
  /** Markdown. */
  description: string;
  version: string;
  /** The path of the documentation: HTML at `/docs`, OpenAPI at `/docs/json`. */
  path: `/${string}`;
  /** The body of every REST error. */
  error: z.ZodType;
  securitySchemes?: Readonly<Record<string, SecurityScheme>>;
  /**
   * Headers of successful responses, by operation (`Sessions.logIn`: controller and method) and name. An operation with
   * an `ETag` may also respond with 304.
   */
  headers?: Readonly<Record<string, Readonly<Record<string, ResponseHeader>>>>;
  /** Examples of successful responses in other media types than JSON, by operation and media type. */
  otherMediaTypes?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /**
   * The media type of successful responses that are not JSON, by operation, such as `application/x-ndjson`. Their
   * schema describes one line.
   */
  mediaTypes?: Readonly<Record<string, string>>;
  /** Other descriptions, each served as JSON under `path` by its name, such as `asyncapi.json`. */
  documents?: Readonly<Record<string, () => object>>;
}

/**
 * Generates the OpenAPI 3.1 document of the methods that have `@RespondsWith`. The application need not listen; one
 * created with `preview: true` is enough.
 *
 * @throws Error if the description names an operation that does not exist
 */
export function openApiDocument(app: INestApplication, description: ApiDescription): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle(description.title)
    .setDescription(description.description)
    .setVersion(description.version);
  for (const [name, scheme] of Object.entries(description.securitySchemes ?? {})) builder.addSecurity(name, scheme);
  const document = SwaggerModule.createDocument(app, builder.build(), {
    onlyIncludeDecoratedEndpoints: true,
    operationIdFactory: (controller, method) => `${controller.replace(/Controller$/, '')}.${method}`,
    standardSchemaConverter: (schema, { schemaType }) =>
      schema instanceof z.ZodType ? jsonSchemaOf(schema, schemaType) : undefined,
  });
  const { schema, components } = jsonSchemaOf(description.error, 'output');
  document.components = {
    ...document.components,
    schemas: { ...document.components?.schemas, ...components, [errorComponent]: schema },
  };
  describeBodies(document);
  describeHeaders(document, description.headers ?? {});
  describeMediaTypes(document, description.otherMediaTypes ?? {});
  replaceMediaTypes(document, description.mediaTypes ?? {});
  return document;
}

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Response = Exclude<NonNullable<Operation['responses'][string]>, { $ref: string }>;

function operationsOf(document: OpenAPIObject): Operation[] {
  return [...Object.values(document.paths).flatMap(({ get }) => get ?? []), ...operationsWithBody(document)];
}

/** The operations whose body is parsed, if there is one. */
function operationsWithBody({ paths }: OpenAPIObject): Operation[] {
  return Object.values(paths).flatMap(({ post, put, patch, delete: remove }) =>
    [post, put, patch, remove].filter((operation) => operation !== undefined),
  );
}

function describeBodies(document: OpenAPIObject): void {
  for (const operation of operationsWithBody(document)) Object.assign(operation.responses, bodyErrors());
}

function describeHeaders(document: OpenAPIObject, headers: NonNullable<ApiDescription['headers']>): void {
  for (const [operationId, described] of Object.entries(headers)) {
    const operation = getOperation(document, operationId);
    for (const response of successfulResponses(operation)) {
      response.headers = Object.fromEntries(
        Object.entries(described).map(([name, header]) => [name, { ...header, schema: { type: 'string' } }]),
      );
    }
    if ('ETag' in described) {
      operation.responses['304'] = { description: 'Not Modified: `If-None-Match` contains the current `ETag`' };
    }
  }
}

function describeMediaTypes(document: OpenAPIObject, mediaTypes: NonNullable<ApiDescription['otherMediaTypes']>): void {
  for (const [operationId, examples] of Object.entries(mediaTypes)) {
    for (const response of successfulResponses(getOperation(document, operationId))) {
      for (const [mediaType, example] of Object.entries(examples)) {
        response.content = { ...response.content, [mediaType]: { schema: { type: 'string' }, example } };
      }
    }
  }
}

function replaceMediaTypes(document: OpenAPIObject, mediaTypes: NonNullable<ApiDescription['mediaTypes']>): void {
  for (const [operationId, mediaType] of Object.entries(mediaTypes)) {
    for (const response of successfulResponses(getOperation(document, operationId))) {
      response.content = Object.fromEntries(
        Object.values(response.content ?? {}).map((described) => [mediaType, described]),
      );
    }
  }
}

function getOperation(document: OpenAPIObject, operationId: string): Operation {
  const operation = operationsOf(document).find((each) => each.operationId === operationId);
  if (operation === undefined) throw new Error(`${operationId} is described, and does not exist`);
  return operation;
}

/** Responses with a status of 2xx, without references. */
function successfulResponses({ responses }: Operation): Response[] {
  return Object.entries(responses).flatMap(([status, response]) =>
    status.startsWith('2') && response !== undefined && !('$ref' in response) ? [response] : [],
  );
}
