import { z } from 'zod';
import { followLists } from '../../follows/follow-lists';
import { applyFollow } from '../follows/apply-follow';
import { findListChange, type ListChange } from '../follows/list-changes';
import { type Effect } from '../effects';
import { findCommand } from './command';

const shape = z.object({
  follower: z.string(),
  /** A name or several. A reset applies to all accounts: clients write null, an empty text or nothing there. */
  following: z.unknown().optional(),
  /** Only the first counts; none is as good as an empty one. */
  what: z.array(z.unknown()),
});

/** `["follow", {…}]`; earlier blocks have the second part alone. */
export function readFollow(signer: string, json: unknown): Effect | undefined {
  const command = findCommand(json);
  if (command !== undefined && command.name !== 'follow') return undefined;
  const { data } = shape.safeParse(command?.payload ?? json);
  const action = data?.what[0] ?? '';
  if (data === undefined || data.follower !== signer || typeof action !== 'string') return undefined;
  const change = findListChange(action);
  if (change === undefined) return undefined;
  const names = [data.following].flat().filter((name) => typeof name === 'string');
  return effectOf(signer, [...new Set(names)], change);
}

function effectOf(follower: string, names: readonly string[], change: ListChange): Effect {
  return {
    need: (needs, { time }) => {
      if (change.isOfAll) needs.allListsOf(follower);
      else
        for (const name of names) {
          if (change.added === followLists.followsMuted) needs.muteList(follower, name);
          else needs.follow(follower, name);
          if (change.added === followLists.follows) needs.telling(name, follower, time);
        }
    },
    apply: (book, moment) => {
      applyFollow(book, moment, { follower, names, change });
    },
  };
}
