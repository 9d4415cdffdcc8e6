import { type FollowedBlock } from '@waggle/chain';
import { type Queryable } from '@waggle/service';
import { lockIndexState, writeIndexState } from '../index-state/index-state';
import { Book } from './book/book';
import { Notifications } from './book/notifications';
import { type ChainFacts } from './chain-facts';
import { Effects } from './effects';
import { handlers } from './operations';
import { pruneTexts, pruneYoungPosts } from './posts/prune-posts';

export interface ApplyOptions {
  readonly chain: ChainFacts;
  /** How long notifications are kept, by the time of the chain. */
  readonly notificationDays: number;
  /** The last irreversible one, as far as it is known. */
  readonly irreversibleBlock: number;
}

const dayMs = 24 * 60 * 60 * 1_000;
const blockIntervalMs = 3_000;

/**
 * Applies the blocks after the last one that was applied, within the caller's transaction.
 *
 * @throws OperationError where one cannot be understood or applied
 */
export async function applyBlocks(
  client: Queryable,
  blocks: readonly FollowedBlock[],
  { chain, notificationDays, irreversibleBlock }: ApplyOptions,
): Promise<void> {
  const last = blocks.at(-1);
  if (last === undefined) return;
  // Notifications that will be too old when the index has caught up are not made at all. The chain has a block every 3 s at most, and
  // none in the future, whatever number a node claims.
  const claimedMs = last.timestamp.getTime() + Math.max(0, irreversibleBlock - last.number) * blockIntervalMs;
  const headMs = Math.max(last.timestamp.getTime(), Math.min(claimedMs, Date.now()));
  const keptMs = notificationDays * dayMs;
  const state = await lockIndexState(client);
  const effects = new Effects(new Date(headMs - keptMs));
  await handlers.handle(effects, blocks);
  if (!effects.areNone) {
    const book = await Book.open(client, effects.needs, { state, keptFrom: new Date(headMs - keptMs), chain });
    effects.apply(book);
    await book.write(client);
    await writeIndexState(client, book);
  }
  const prunedTo = new Date(last.timestamp.getTime() - keptMs);
  await Notifications.prune(client, prunedTo);
  await pruneTexts(client, prunedTo);
  await pruneYoungPosts(client, last.timestamp);
}
