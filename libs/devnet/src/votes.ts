import BTree from 'sorted-btree';
import { type Comment } from './comments';
import { type HiveTime } from './time';

/** The last vote of an account on a comment. */
export interface Vote {
  readonly voter: string;
  /** Hundredths of a percent of the voter's power; negative against the comment, 0 for a removed vote. */
  readonly percent: number;
  readonly rshares: bigint;
  /** Its share of the curation rewards. */
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

  /** In the order of the voters' names. */
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

function voteKey({ id }: Voted, voter: string): string {
  return `${id} ${voter}`;
}
