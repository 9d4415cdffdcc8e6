import { type FollowedOperation, onOperation } from '@waggle/chain';
import { z } from 'zod';
import { type IndexUpdates } from '../changeset/index-updates';
import { changePayout } from '../posts/payouts';
import { chainNumber, chainText } from './value-schemas';

/** The account whose tokens are burned. */
const burner = 'null';
const hbd = '@@000000013';

/**
 * Whether an operation is of another type, or burns tokens. A malformed recipient passes, so that the handler rejects
 * it.
 */
export function isWantedTransfer({ type, value }: Pick<FollowedOperation, 'type' | 'value'>): boolean {
  const { to } = value;
  return type !== transfer.type || typeof to !== 'string' || to === burner;
}

/** Burnt HBD promotes the post that the memo names as `@author/permlink`: hive/indexer/payments.py of hivemind. */
export const transfer = onOperation(
  'transfer_operation',
  z.object({ to: z.string(), amount: z.object({ amount: chainNumber, nai: z.string() }), memo: chainText }),
  (updates: IndexUpdates, { to, amount: { amount, nai }, memo }, position) => {
    const [, author, permlink] = /^@([^/]*)\/([^/]*)$/.exec(memo) ?? [];
    if (to !== burner || nai !== hbd || author === undefined || permlink === undefined) return;
    updates.add(position, {
      declareReads: (readSet) => {
        readSet.addPost({ author, permlink });
      },
      apply: (changeset) => {
        changePayout(changeset, { author, permlink }, ({ promoted }) => ({ promoted: promoted + amount }));
      },
    });
  },
);
