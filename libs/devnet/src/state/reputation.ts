import { type ChainState } from './state';
import { type Vote } from './votes';

/** Below this, rshares are noise of the precision of VESTS. */
const noiseBits = 6n;

/**
 * Counts a vote for or against the reputation of an author, by the rules of hived's reputation plugin: the voter's
 * reputation must not be negative, and for a negative vote it must be greater than the author's.
 */
export function countVote(state: ChainState, author: string, vote: Vote): void {
  const { voterReputation, account } = involved(state, author, vote);
  if (voterReputation !== undefined && voterReputation < 0n) return;
  const before = account.reputation ?? 0n;
  if (vote.rshares < 0n && (voterReputation === undefined || voterReputation <= before)) return;
  state.putAccount({ ...account, reputation: before + (vote.rshares >> noiseBits) });
}

/** Undoes the effect of a vote before another replaces it, by the current reputations, as hived does. */
export function uncountVote(state: ChainState, author: string, vote: Vote): void {
  const { voterReputation, account } = involved(state, author, vote);
  if (account.reputation === undefined || (voterReputation !== undefined && voterReputation < 0n)) return;
  const before = account.reputation - (vote.rshares >> noiseBits);
  if (vote.rshares < 0n && (voterReputation === undefined || voterReputation <= before)) return;
  state.putAccount({ ...account, reputation: before === 0n ? undefined : before });
}

function involved(state: ChainState, author: string, { voter }: Vote) {
  return { voterReputation: state.getAccount(voter).reputation, account: state.getAccount(author) };
}

/**
 * A reputation as it is shown: 25 for a newcomer, and 9 more (9 less if it is negative) for each power of ten above
 * 10^9, with two decimals.
 */
export function reputationScore(raw = 0n): number {
  const size = Math.log10(Math.abs(Number(raw)));
  const score = 25 + (raw < 0n ? -9 : 9) * Math.max(size - 9, 0);
  return raw === 0n ? 25 : Math.round(score * 100) / 100;
}
