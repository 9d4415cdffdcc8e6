import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';

/** The service violated the contract. */
export class ContractError extends Error {
  override readonly name = 'ContractError';
}

/**
 * Parses what the service sent. The schemas drop unknown keys, so a difference means that there were some, at any
 * depth.
 *
 * @param what for the message of the error
 * @throws ContractError
 */
export function parseByContract<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  what: string,
): z.infer<Schema> {
  const { success, data, error } = schema.safeParse(value);
  if (!success) throw new ContractError(`${what}\n${z.prettifyError(error)}\nin ${JSON.stringify(value)}`);
  if (isDeepStrictEqual(data, value)) return data;
  throw new ContractError(
    `${what}: the contract knows ${JSON.stringify(data)}\nand not all of ${JSON.stringify(value)}`,
  );
}
