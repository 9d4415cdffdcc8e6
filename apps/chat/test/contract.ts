import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';

/** Something that the service sent is not as the contract has it. */
export class ContractError extends Error {
  override readonly name = 'ContractError';
}

/**
 * What the service sent, by a schema of the contract. The schemas drop the keys that they do not name; what is then no
 * longer what it was had some, at whatever depth.
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
