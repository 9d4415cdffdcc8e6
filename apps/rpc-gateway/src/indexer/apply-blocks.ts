import { type FollowedBlock } from '@waggle/chain';
import { type Queryable } from '@waggle/service';
import { type IndexState, lockIndexState, updateIndexState } from '../index-state/index-state';
import { Changeset } from './changeset/changeset';
import { fillRankings } from './changeset/rankings';
import { type AccountLookup } from '../accounts/account-lookup';
import { IndexUpdates } from './changeset/index-updates';
import { handlers } from './operations';
import { prune } from './prune';
import { RetentionPeriod, type RetentionSettings } from './changeset/retention-period';
import { type NetworkRules } from './network-rules';

export interface ApplyOptions {
  readonly accountLookup: AccountLookup;
  readonly rules: NetworkRules;
  readonly retention: RetentionSettings;
  /** Whether the blocks are about the last ones of the chain. Only then does the index rank posts. */
  readonly isAtHead: boolean;
}

/**
 * Applies the blocks that follow the last applied one, within the caller's transaction.
 *
 * @throws OperationError for an operation that cannot be parsed or applied
 */
export async function applyBlocks(
  client: Queryable,
  blocks: readonly FollowedBlock[],
  { accountLookup, rules, retention: settings, isAtHead }: ApplyOptions,
): Promise<void> {
  const last = blocks.at(-1);
  if (last === undefined) return;
  const state = await lockIndexState(client);
  const retention = new RetentionPeriod(settings, state);
  const updates = new IndexUpdates(retention, rules);
  await handlers.handle(updates, blocks);
  const { nextAccountId, nextPostId } = await applyUpdates(client, updates, state, accountLookup);
  if (isAtHead && !state.hasRankings) await fillRankings(client);
  const hasRankings = isAtHead || state.hasRankings;
  const retainedFrom = retention.expiry(last.timestamp);
  const bodiesRetainedFrom = retention.bodyExpiry(last.timestamp);
  await updateIndexState.execute(client, {
    nextAccountId,
    nextPostId,
    ...settings,
    retainedFrom,
    bodiesRetainedFrom,
    hasRankings,
  });
  await prune(client, { retainedFrom, bodiesRetainedFrom });
}

/** Reads the rows that the updates need, changes them in memory, and writes them. @returns the next free ids */
async function applyUpdates(
  client: Queryable,
  updates: IndexUpdates,
  state: IndexState,
  accountLookup: AccountLookup,
): Promise<Pick<IndexState, 'nextAccountId' | 'nextPostId'>> {
  if (updates.isEmpty) return state;
  const changeset = await Changeset.load(client, updates.readSet, { state, accountLookup });
  updates.apply(changeset);
  await changeset.write(client, state.hasRankings);
  return changeset;
}
