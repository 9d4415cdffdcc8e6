import { z } from 'zod';

/** How the appbase APIs name VESTS. */
const vestsAsset = '@@000000037';

/** The chain holds amounts in signed 64-bit integers, as PostgreSQL's bigint is. */
const max = 2n ** 63n - 1n;

/** An amount of VESTS as nodes write it, `{amount: "2500500000", precision: 6, nai: "@@000000037"}`, in millionths. */
export const vests = z
  .object({ amount: z.string().regex(/^\d{1,19}$/), precision: z.literal(6), nai: z.literal(vestsAsset) })
  .transform(({ amount }) => BigInt(amount))
  .refine((amount) => amount <= max, 'more than 64 bits');
