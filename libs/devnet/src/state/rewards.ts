import { Asset } from './assets';
import { type Comment, type Payout } from './comments';

/** Rshares per HBD. On Hive it depends on the reward fund and all votes of a fortnight; here it is fixed. */
export const rsharesPerHbd = 20_000_000_000n;

/** Returns what the votes would pay now, in HBD: nothing after the payout, or if negative votes prevail. */
export function pendingPayout({ netRshares, payout }: Comment): Asset {
  const isWorthNothing = payout !== undefined || netRshares < 0n;
  const rshares = isWorthNothing ? 0n : netRshares;
  return new Asset((rshares * 1000n) / rsharesPerHbd, 'HBD');
}

/** Splits what is pending: half for the curators, half for the author. */
export function computePayout(comment: Comment): Payout {
  const total = pendingPayout(comment).units;
  const curators = total / 2n;
  return { author: new Asset(total - curators, 'HBD'), curators: new Asset(curators, 'HBD') };
}
