import { type FollowedBlock } from '@waggle/chain';
import { type Queryable } from '@waggle/service';
import { type IndexState, lockIndexState, updateIndexState } from '../index-state/index-state';
import { Changeset } from './changeset/changeset';
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
}

/**
 * Applies the blocks that follow the last applied one, within the caller's transaction.
 *
 * @throws OperationError for an operation that cannot be parsed or applied
 */
export async function applyBlocks(
  client: Queryable,
  blocks: readonly FollowedBlock[],
  { accountLookup, rules, retention: settings }: ApplyOptions,
): Promise<void> {
  const last = blocks.at(-1);
  if (last === undefined) return;
  const state = await lockIndexState(client);
  const retention = new RetentionPeriod(settings, state);
  const updates = new IndexUpdates(retention, rules);
  await handlers.handle(updates, blocks);
  let nextIds: Pick<IndexState, 'nextAccountId' | 'nextPostId'> = state;
  if (!updates.isEmpty) {
    const changeset = await Changeset.load(client, updates.readSet, { state, accountLookup });
    updates.apply(changeset);
    await changeset.write(client);
    nextIds = changeset;
  }
  const { nextAccountId, nextPostId } = nextIds;
  const retainedFrom = retention.expiry(last.timestamp);
  const bodiesRetainedFrom = retention.bodyExpiry(last.timestamp);
  await updateIndexState.execute(client, { nextAccountId, nextPostId, ...settings, retainedFrom, bodiesRetainedFrom });
  await prune(client, { retainedFrom, bodiesRetainedFrom });
}
