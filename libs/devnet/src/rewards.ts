import { type Account } from './account';
import { Asset } from './assets';
import { type Comment, type Payout } from './comments';

/** HIVE_100_PERCENT of hived: weights are hundredths of a percent. */
export const fullWeight = 10_000;

const secondsOfDay = 24n * 60n * 60n;
/** A vote of full weight takes a fiftieth: `vote_power_reserve_rate` votes on each of the five days in which they come back. */
const secondsOfVotes = 10n * 5n * secondsOfDay;
/** HIVE_VOTE_DUST_THRESHOLD of hived. */
const dustRshares = 50_000_000n;

/** Rshares per HBD. On Hive it depends on the reward fund and all votes of a fortnight; here it is fixed. */
const rsharesPerHbd = 20_000_000_000n;

/**
 * The rshares of a vote by the rule of hardfork 28: they follow from the VESTS that the account may use, however much it has
 * voted before. With 1,000,000 VESTS a full vote has 19,950,000,000.
 */
export function rsharesOf({ vests, delegatedVests, receivedVests }: Account, weight: number): bigint {
  const usable = vests.minus(delegatedVests).plus(receivedVests).units;
  const seconds = (usable * BigInt(Math.abs(weight)) * secondsOfDay) / BigInt(fullWeight);
  const used = (seconds + secondsOfVotes - 1n) / secondsOfVotes;
  const rshares = used > dustRshares ? used - dustRshares : 0n;
  return weight < 0 ? -rshares : rshares;
}

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
