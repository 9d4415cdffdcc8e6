import {
  currentDelegation,
  delegationBalance,
  delegationChange,
  delegationPair,
  pendingReturn,
} from '@waggle/contracts';
import { z } from 'zod';

/** A decimal as a JSON number writes it, in millionths. */
const millionths = z
  .string()
  .regex(/^\d+(\.\d{1,6})?$/)
  .transform((text) => {
    const [whole = '', decimals = ''] = text.split('.');
    return BigInt(whole + decimals.padEnd(6, '0'));
  });

/** Parses JSON with amounts as texts, digit for digit: JSON.parse rounds beyond 2^53. */
export function exactJson(text: string): unknown {
  return JSON.parse(text.replaceAll(/"(amount|in|out)":([\d.]+)([,}])/g, '"$1":"$2"$3'));
}

// The resources of the contract with their amounts in millionths. Strict: there are no undocumented keys.
export const exactDelegations = z.array(z.strictObject({ ...currentDelegation.shape, amount: millionths }));
export const exactChanges = z.array(z.strictObject({ ...delegationChange.shape, amount: millionths }));
export const exactPair = z.strictObject({ ...delegationPair.shape, amount: millionths });
export const exactReturns = z.array(z.strictObject({ ...pendingReturn.shape, amount: millionths }));
export const exactBalance = z.strictObject({
  ...delegationBalance.shape,
  balances: z.strictObject({ in: millionths, out: millionths }),
});
