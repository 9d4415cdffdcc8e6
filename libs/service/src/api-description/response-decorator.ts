import { STATUS_CODES } from 'node:http';
import { applyDecorators, HttpCode } from '@nestjs/common';
import { ApiIncludeEndpoint, ApiOperation, ApiResponse, getSchemaPath, type ApiResponseOptions } from '@nestjs/swagger';
import { type z } from 'zod';
import { frameworkCode } from '../rest-error-body';

/** What holds for the endpoints of one service. */
export interface ResponseConventions<Code extends string, Scheme extends string> {
  /** The HTTP status of each error code. */
  errors: Readonly<Record<Code, number>>;
  /** Refused so by any endpoint. */
  always: readonly NoInfer<Code>[];
  /** Refused so where credentials are needed and are not there or not good. */
  unauthenticated: NoInfer<Code>;
  /** Any one of these ways to send credentials is needed, unless a method says otherwise. */
  credentials: readonly Scheme[];
}

export interface ResponseOptions<Code extends string, Scheme extends string> {
  /** What the call does, in one line. */
  summary: string;
  /** What else a caller should know. */
  description?: string;
  /** HTTP status of the answer; 200 by default, and 204 where there is no body. */
  status?: number;
  /** Codes with which this method in particular refuses. */
  errors?: readonly Code[];
  /** Headers of the answer besides those that every answer has. */
  headers?: NonNullable<Extract<ApiResponseOptions, { headers?: unknown }>['headers']>;
  /** The ways to send credentials, any one of which is needed; none where empty. */
  credentials?: readonly Scheme[];
}

/** Component of the description that holds the body of every REST error. */
export const errorComponent = 'Error';

const retryAfter = {
  'Retry-After': { description: 'Seconds after which trying again can help', schema: { type: 'integer' as const } },
};

/** The headers of lists that are read page by page. */
export const pageHeaders = {
  Link: {
    description: 'With `rel="next"`: the URL of the next page, relative to this one. Not there on the last page',
    schema: { type: 'string' as const },
  },
};

/**
 * Makes a service's decorator of controller methods that says what a method answers: `@RespondsWith(schema, { summary, errors })`,
 * `[schema]` for a list, `undefined` for no body. It sets the status too, so the two cannot differ. Methods without it are
 * in no description.
 */
export function responseDecorator<Code extends string, Scheme extends string>(
  conventions: ResponseConventions<Code, Scheme>,
) {
  return (
    answer: z.ZodType | readonly [z.ZodType] | undefined,
    options: ResponseOptions<Code, Scheme>,
  ): MethodDecorator => {
    const { summary, description, headers, errors = [], credentials = conventions.credentials } = options;
    const status = options.status ?? (answer === undefined ? 204 : 200);
    const codes = new Set([
      ...errors,
      ...(credentials.length > 0 ? [conventions.unauthenticated] : []),
      ...conventions.always,
    ]);
    return applyDecorators(
      HttpCode(status),
      ApiIncludeEndpoint(),
      ApiOperation({
        summary,
        ...(description === undefined ? {} : { description }),
        security: credentials.map((scheme) => ({ [scheme]: [] })),
      }),
      ApiResponse({
        status,
        description: STATUS_CODES[status] ?? '',
        ...(headers && { headers }),
        ...contentOf(answer),
      }),
      ...Array.from(byStatus(codes, conventions.errors), ([errorStatus, codesOfStatus]) =>
        errorResponse(errorStatus, codesOfStatus),
      ),
      errorResponse(500, ['internal']),
    );
  };
}

function contentOf(answer: z.ZodType | readonly [z.ZodType] | undefined) {
  if (answer === undefined) return {};
  return 'length' in answer ? { standardSchema: answer[0], isArray: true } : { standardSchema: answer };
}

function byStatus<Code extends string>(codes: Iterable<Code>, statusOf: Readonly<Record<Code, number>>) {
  const statuses = new Map<number, Code[]>();
  for (const code of codes) statuses.set(statusOf[code], [...(statuses.get(statusOf[code]) ?? []), code]);
  return statuses;
}

function errorResponse(status: number, codes: readonly string[]) {
  const { description, schema } = describeError(status, codes);
  return ApiResponse({
    status,
    description,
    schema,
    ...(status === 429 || status === 503 ? { headers: retryAfter } : {}),
  });
}

function describeError(status: number, codes: readonly string[]) {
  return {
    description: `${STATUS_CODES[status] ?? 'Error'}: ${codes.map((code) => `\`${code}\``).join(', ')}`,
    schema: {
      allOf: [
        { $ref: getSchemaPath(errorComponent) },
        { type: 'object', properties: { code: { type: 'string', enum: [...codes] } } },
      ],
    },
  };
}

/** How the framework refuses a body before it reaches a method, as responses of an operation that takes one. */
export function bodyErrors() {
  return Object.fromEntries(
    [413, 415].map((status) => {
      const { description, schema } = describeError(status, [frameworkCode(status)]);
      return [status, { description, content: { 'application/json': { schema } } }];
    }),
  );
}
