import { jsonSchemaOf } from '@waggle/service';
import { z } from 'zod';

/**
 * A parameter: a schema that throws the `RpcError` that clients expect. Missing parameters and null are undefined;
 * required parameters were checked before.
 */
export type Parameter<T> = z.ZodType<T>;

/**
 * @param allowed the schema in the API description; `read` accepts all of these values
 * @param read throws an `RpcError` for invalid values
 */
export function parameter<T>(allowed: z.ZodType, read: (value: unknown) => T): Parameter<T> {
  return z.unknown().transform(read).meta(jsonSchemaOf(allowed, 'input').schema);
}

/** Makes a parameter of text that may also be empty, which is the default. */
export function orEmpty(allowed: z.ZodType, description: string, read: (value: unknown) => string): Parameter<string> {
  return parameter(z.union([allowed, z.literal('')]).meta({ description }), (value) =>
    value === undefined || value === '' ? '' : read(value),
  );
}
