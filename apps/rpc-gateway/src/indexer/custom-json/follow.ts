import { z } from 'zod';
import { followLists } from '../../follows/follow-lists';
import { applyFollow } from './apply-follow';
import { findListChange, type ListChange } from './follow-actions';
import { type IndexUpdate } from '../changeset/index-updates';

const shape = z.object({
  follower: z.string(),
  /** A name or several. For a reset, which applies to all accounts, clients send null or an empty string. */
  following: z.unknown(),
  /** Only the first element is used. */
  what: z.array(z.unknown()),
});

/** Reads the payload of a follow command. @returns undefined if it is not valid */
export function readFollow(signer: string, payload: unknown): IndexUpdate | undefined {
  const { data } = shape.safeParse(payload);
  if (data === undefined || data.follower !== signer) return undefined;
  const change = findListChange(data.what[0]);
  if (change === undefined) return undefined;
  const names = [data.following].flat().filter((name) => typeof name === 'string');
  return followUpdate(signer, [...new Set(names)], change);
}

function followUpdate(follower: string, names: readonly string[], change: ListChange): IndexUpdate {
  return {
    declareReads: (readSet, time) => {
      if (change.affectsAll) readSet.addReset(follower);
      else
        for (const name of names) {
          if (change.added === followLists.followsMuted) readSet.addMuteList(follower, name);
          else if (change.added === followLists.ignores) readSet.addIgnored(follower, name);
          else readSet.addFollow(follower, name);
          if (change.added === followLists.follows) readSet.addMuteCheck(name, follower, time);
        }
    },
    apply: (changeset, time) => {
      applyFollow(changeset, time, { follower, names, change });
    },
  };
}
