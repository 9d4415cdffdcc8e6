import { type FollowedBlock } from '@waggle/chain';
import { type Queryable } from '@waggle/service';
import { type IndexState, lockIndexState, writeIndexState } from '../index-state/index-state';
import { Changeset } from './changeset/changeset';
import { Notifications } from './changeset/notifications';
import { type AccountLookup } from '../accounts/account-lookup';
import { IndexUpdates } from './index-updates';
import { handlers } from './operations';
import { pruneTexts, pruneYoungPosts } from './posts/prune-posts';

export interface ApplyOptions {
  readonly accountLookup: AccountLookup;
  /** How long notifications are retained, in block time. */
  readonly notificationDays: number;
  /** The last irreversible block that is known. */
  readonly irreversibleBlock: number;
}

const dayMs = 24 * 60 * 60 * 1_000;
const blockIntervalMs = 3_000;

/**
 * Applies the blocks that follow the last applied one, within the caller's transaction.
 *
 * @throws OperationError for an operation that cannot be parsed or applied
 */
export async function applyBlocks(
  client: Queryable,
  blocks: readonly FollowedBlock[],
  { accountLookup, notificationDays, irreversibleBlock }: ApplyOptions,
): Promise<void> {
  const last = blocks.at(-1);
  if (last === undefined) return;
  // Skips notifications that will have expired when the index has caught up. The time of the head is estimated from its number, which
  // a node may claim too high, and is never in the future.
  const claimedMs = last.timestamp.getTime() + Math.max(0, irreversibleBlock - last.number) * blockIntervalMs;
  const headMs = Math.max(last.timestamp.getTime(), Math.min(claimedMs, Date.now()));
  const retentionMs = notificationDays * dayMs;
  const state = await lockIndexState(client);
  const retainedFrom = new Date(headMs - retentionMs);
  const updates = new IndexUpdates(retainedFrom);
  await handlers.handle(updates, blocks);
  let nextIds: Pick<IndexState, 'nextAccountId' | 'nextPostId'> = state;
  if (!updates.isEmpty) {
    const changeset = await Changeset.load(client, updates.readSet, { state, retainedFrom, accountLookup });
    updates.apply(changeset);
    await changeset.write(client);
    nextIds = changeset;
  }
  const { nextAccountId, nextPostId } = nextIds;
  await writeIndexState(client, { nextAccountId, nextPostId, notificationDays, retainedFrom });
  const prunedTo = new Date(last.timestamp.getTime() - retentionMs);
  await Notifications.prune(client, prunedTo);
  await pruneTexts(client, prunedTo);
  await pruneYoungPosts(client, last.timestamp);
}
