import { type Vote } from './read-posts';
import { timeText } from './times';

/** Formats a vote as `condenser_api.get_active_votes` does. */
export function activeVote(vote: Vote) {
  return { ...voteFields(vote), percent: vote.percent, time: timeText(vote.updated), weight: BigInt(vote.weight) };
}

/** The fields that a vote has in every response of `condenser_api`. */
export function voteFields({ voter, reputation, rshares }: Vote) {
  return { voter, reputation: BigInt(reputation), rshares: BigInt(rshares) };
}
