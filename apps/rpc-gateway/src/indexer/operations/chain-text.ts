import { z } from 'zod';
import { storable } from '../../storable';

/** Text that anybody may have put on the chain. */
export const chainText = z.string().transform(storable);

/** 64 bits; hived writes what is beyond 32 as text. */
export const chainNumber = z.union([z.int(), z.string().regex(/^-?\d{1,20}$/)]).transform(BigInt);

/** Of an amount such as `{amount: "14483", precision: 3, nai: "@@000000013"}`, the amount. */
export const chainAmount = z.object({ amount: chainNumber }).transform(({ amount }) => amount);
