import { Asset } from './assets';
import { type Comment, type Payout } from './comments';

/** Rshares per HBD. On Hive it depends on the reward fund and all votes of a fortnight; here it is fixed. */
const rsharesPerHbd = 20_000_000_000n;

/** What the votes are worth until the payout: HBD. */
export function pendingPayout({ netRshares, payout }: Comment): Asset {
  const rshares = payout || netRshares < 0n ? 0n : netRshares;
  return new Asset((rshares * 1000n) / rsharesPerHbd, 'HBD');
}

/** Returns the payout of a comment: half for the curators, half for the author. */
export function payoutOf(comment: Comment): Payout {
  const total = pendingPayout(comment).units;
  const curators = total / 2n;
  return { author: new Asset(total - curators, 'HBD'), curators: new Asset(curators, 'HBD') };
}
