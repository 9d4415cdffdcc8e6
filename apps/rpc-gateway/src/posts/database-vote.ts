import { type RowIn } from '@waggle/service';
import { timeText } from './times';
import { type votesByPost } from './votes.statements';

/** Each post has this many ids for its votes: more than there are accounts. */
const idsPerPost = 1n << 24n;

/** Formats a vote as `database_api` does. Its id is unique; nodes use other ids. */
export function databaseVote(vote: RowIn<typeof votesByPost>) {
  return {
    id: BigInt(vote.postId) * idsPerPost + BigInt(vote.voterId),
    voter: vote.voter,
    author: vote.author,
    permlink: vote.permlink,
    weight: BigInt(vote.weight),
    rshares: BigInt(vote.rshares),
    vote_percent: vote.percent,
    last_update: timeText(vote.updated),
    num_changes: vote.changes,
  };
}
