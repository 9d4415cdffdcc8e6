import { z } from 'zod';

/** The identifier of VESTS in the appbase APIs. */
const vestsAsset = '@@000000037';

/** Decimals of VESTS on the chain; amounts are stored as whole millionths. */
const vestsDecimals = 6;

/** The chain holds amounts in signed 64-bit integers, as PostgreSQL's bigint is. */
const max = 2n ** 63n - 1n;

/** An amount of VESTS as nodes write it, `{amount: "2500500000", precision: 6, nai: "@@000000037"}`, in millionths. */
export const vests = z
  .object({
    amount: z.string().regex(/^\d{1,19}$/),
    precision: z.literal(vestsDecimals),
    nai: z.literal(vestsAsset),
  })
  .transform(({ amount }) => BigInt(amount))
  .refine((amount) => amount <= max, 'more than 64 bits');

/** The character code of 0. */
const zero = 48;

/**
 * Formats millionths of VESTS as an exact decimal in its shortest form, which is a JSON number: `2500500000` becomes
 * `2500.5`, `0` becomes `0`. Works on the text, because a number above 2^53 would lose its last digits.
 *
 * @param millionths digits without a sign, as PostgreSQL writes a bigint
 */
export function formatVests(millionths: string): string {
  const digits = millionths.padStart(vestsDecimals + 1, '0');
  const point = digits.length - vestsDecimals;
  let end = digits.length;
  while (end > point && digits.charCodeAt(end - 1) === zero) end -= 1;
  const whole = digits.slice(0, point);
  return end === point ? whole : `${whole}.${digits.slice(point, end)}`;
}
