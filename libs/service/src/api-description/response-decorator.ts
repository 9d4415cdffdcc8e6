import { STATUS_CODES } from 'node:http';
import { applyDecorators, HttpCode } from '@nestjs/common';
import { ApiIncludeEndpoint, ApiOperation, ApiResponse, getSchemaPath, type ApiResponseOptions } from '@nestjs/swagger';
import { type z } from 'zod';
import { frameworkCode } from '../errors/rest-error-body';

/** Conventions of the endpoints of one service. */
export interface ResponseConventions<Code extends string, Scheme extends string> {
  /** The HTTP status of each error code. */
  errors: Readonly<Record<Code, number>>;
  /** Codes that every endpoint may return. */
  commonErrors: readonly NoInfer<Code>[];
  /** The code if required credentials are missing or invalid. */
  unauthenticated: NoInfer<Code>;
  /** One of these ways to send credentials is required, unless a method overrides it. */
  credentials: readonly Scheme[];
}

export interface ResponseOptions<Code extends string, Scheme extends string> {
  /** What the call does, in one line. */
  summary: string;
  /** Further information for callers, in Markdown. */
  description?: string;
  /** HTTP status of the response; by default 200, or 204 without a body. */
  status?: number;
  /** Error codes of this method. */
  errors?: readonly Code[];
  /** Headers of the response, in addition to the common ones. */
  headers?: NonNullable<Extract<ApiResponseOptions, { headers?: unknown }>['headers']>;
  /** The ways to send credentials: one of them is required; empty for a public method. */
  credentials?: readonly Scheme[];
}

/** Component of the description that holds the body of every REST error. */
export const errorComponent = 'Error';

const retryAfter = {
  'Retry-After': { description: 'Seconds after which trying again can help', schema: { type: 'integer' as const } },
};

/** The headers of lists that are read page by page. */
export const linkHeaders = {
  Link: {
    description: 'With `rel="next"`: the URL of the next page, relative to this one. Absent on the last page',
    schema: { type: 'string' as const },
  },
};

/**
 * Creates a service's decorator that declares the response of a controller method: `@RespondsWith(schema, { summary,
 * errors })`, with `[schema]` for a list and `undefined` for no body. It also sets the status, so that the description
 * cannot differ. Methods without it are not part of the description.
 */
export function responseDecorator<Code extends string, Scheme extends string>(
  conventions: ResponseConventions<Code, Scheme>,
) {
  return (
    body: z.ZodType | readonly [z.ZodType] | undefined,
    options: ResponseOptions<Code, Scheme>,
  ): MethodDecorator => {
    const { summary, description, headers, errors = [], credentials = conventions.credentials } = options;
    const status = options.status ?? (body === undefined ? 204 : 200);
    const codes = new Set([
      ...errors,
      ...(credentials.length > 0 ? [conventions.unauthenticated] : []),
      ...conventions.commonErrors,
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
        ...contentOf(body),
      }),
      ...Array.from(byStatus(codes, conventions.errors), ([errorStatus, codesOfStatus]) =>
        errorResponse(errorStatus, codesOfStatus),
      ),
      errorResponse(500, ['internal']),
    );
  };
}

function contentOf(body: z.ZodType | readonly [z.ZodType] | undefined) {
  if (body === undefined) return {};
  return 'length' in body ? { standardSchema: body[0], isArray: true } : { standardSchema: body };
}

function byStatus<Code extends string>(
  codes: Iterable<Code>,
  statusOf: Readonly<Record<Code, number>>,
): Map<number, Code[]> {
  const statuses = new Map<number, Code[]>();
  for (const code of codes) statuses.set(statusOf[code], [...(statuses.get(statusOf[code]) ?? []), code]);
  return statuses;
}

function errorResponse(status: number, codes: readonly string[]): MethodDecorator & ClassDecorator {
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

/** Responses of the framework to bodies that it rejects before they reach a method. */
export function bodyErrors(): Record<string, object> {
  return Object.fromEntries(
    [413, 415].map((status) => {
      const { description, schema } = describeError(status, [frameworkCode(status)]);
      return [status, { description, content: { 'application/json': { schema } } }];
    }),
  );
}
