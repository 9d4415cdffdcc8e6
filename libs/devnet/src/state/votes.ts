import BTree from 'sorted-btree';
import { fullPercent } from '../percent';
import { type Account } from './account';
import { type Comment } from './comments';
import { type HiveTime } from '../time';

/** The weight of a vote with full power. */
export const fullWeight = fullPercent;

const secondsOfDay = 24n * 60n * 60n;
/**
 * A full vote uses a fiftieth of the power: `vote_power_reserve_rate` (10) votes a day, for the five days that power
 * takes to return.
 */
const secondsOfVotes = 10n * 5n * secondsOfDay;
/** HIVE_VOTE_DUST_THRESHOLD of hived. */
const dustRshares = 50_000_000n;

/** The last vote of an account on a comment. */
export interface Vote {
  readonly voter: string;
  /** Hundredths of a percent of the voter's power; negative against the comment, 0 for a removed vote. */
  readonly percent: number;
  readonly rshares: bigint;
  /** The vote's share of the curation rewards. */
  readonly weight: bigint;
  readonly time: HiveTime;
}

type Voted = Pick<Comment, 'id'>;

/** The votes of a state. */
export class Votes {
  private byCommentAndVoter = new BTree<string, Vote>();

  copy(): Votes {
    const copy = new Votes();
    copy.byCommentAndVoter = this.byCommentAndVoter;
    return copy;
  }

  find(comment: Voted, voter: string): Vote | undefined {
    return this.byCommentAndVoter.get(voteKey(comment, voter));
  }

  /** Returns the votes on a comment in the order of the voters' names. */
  on(comment: Voted): Vote[] {
    const prefix = voteKey(comment, '');
    return this.byCommentAndVoter.getRange(prefix, `${prefix}\uffff`).map(([, vote]) => vote);
  }

  put(comment: Voted, vote: Vote): void {
    this.byCommentAndVoter = this.byCommentAndVoter.with(voteKey(comment, vote.voter), vote, true);
  }

  removeAll(comment: Voted): void {
    for (const { voter } of this.on(comment)) {
      this.byCommentAndVoter = this.byCommentAndVoter.without(voteKey(comment, voter));
    }
  }
}

/**
 * The rshares of a vote by the rule of hardfork 28: they follow from the VESTS that the account may use, however much
 * it voted before. With 1,000,000 VESTS a full vote has 19,950,000,000.
 */
export function rsharesOf({ vests, delegatedVests, receivedVests }: Account, weight: number): bigint {
  const usable = vests.minus(delegatedVests).plus(receivedVests).units;
  const seconds = (usable * BigInt(Math.abs(weight)) * secondsOfDay) / BigInt(fullWeight);
  const used = (seconds + secondsOfVotes - 1n) / secondsOfVotes;
  const rshares = used > dustRshares ? used - dustRshares : 0n;
  return weight < 0 ? -rshares : rshares;
}

function voteKey({ id }: Voted, voter: string): string {
  return `${id} ${voter}`;
}
