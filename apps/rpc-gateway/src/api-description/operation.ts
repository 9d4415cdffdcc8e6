import { STATUS_CODES } from 'node:http';
import { type GatewayRestErrorCode, gatewayRestErrors } from '@waggle/contracts';
import { jsonSchemaOf, type JsonSchema } from '@waggle/service';
import { type z } from 'zod';

/** Returns the query parameters of a schema, as OpenAPI describes them. */
export function queryParameters({ shape }: z.ZodObject<Readonly<Record<string, z.ZodType>>>): JsonSchema[] {
  return Object.entries(shape).map(([name, schema]) => {
    const { description, ...rest } = jsonSchemaOf(schema, 'input').schema;
    return { name, in: 'query', required: !schema.safeParse(undefined).success, description, schema: rest };
  });
}

export function jsonContent(schema: JsonSchema) {
  return { content: { 'application/json': { schema } } };
}

export function reference(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** The codes of errors that have `Retry-After`. */
const codesWithRetryAfter = new Set(['index-incomplete', 'rate-limited', 'unavailable']);

/** Describes an error of REST by its codes. */
export function errorResponse(status: number, ...codes: string[]) {
  return {
    description: `${STATUS_CODES[status]}: ${codes.map((code) => `\`${code}\``).join(', ')}`,
    ...(codes.some((code) => codesWithRetryAfter.has(code)) && { headers: { 'Retry-After': retryAfter } }),
    ...jsonContent(reference('Error')),
  };
}

/** Describes the errors of an operation, by status. */
export function errorResponses(...codes: GatewayRestErrorCode[]): Record<number, unknown> {
  const statuses = new Set(codes.map((code) => gatewayRestErrors[code]));
  return Object.fromEntries(
    [...statuses].map((status) => [
      status,
      errorResponse(status, ...codes.filter((code) => gatewayRestErrors[code] === status)),
    ]),
  );
}

export const retryAfter = { description: 'Seconds', schema: { type: 'integer' } };
