import { onOperation } from '@waggle/chain';
import { z } from 'zod';
import { type IndexUpdates } from '../changeset/index-updates';
import { changePayout } from '../posts/payouts';
import { chainAmount, chainPercent, chainText } from './value-schemas';

const beneficiaryExtension = z.object({
  type: z.literal('comment_payout_beneficiaries'),
  value: z.object({ beneficiaries: z.array(z.object({ account: chainText, weight: z.int() })) }),
});

/**
 * Sets the options of the payout of a post. As in public gateways, an operation without beneficiaries removes them:
 * `_apply_comment_options` in hive/indexer/posts.py of hivemind.
 */
export const commentOptions = onOperation(
  'comment_options_operation',
  z.object({
    author: z.string(),
    permlink: chainText,
    max_accepted_payout: chainAmount,
    percent_hbd: chainPercent,
    allow_votes: z.boolean(),
    allow_curation_rewards: z.boolean(),
    extensions: z.array(z.unknown()),
  }),
  (updates: IndexUpdates, { author, permlink, extensions, ...options }, position) => {
    const link = { author, permlink };
    const changes = {
      maxAcceptedPayout: options.max_accepted_payout,
      percentHbd: options.percent_hbd,
      allowsVotes: options.allow_votes,
      allowsCurationRewards: options.allow_curation_rewards,
      beneficiaries: beneficiariesOf(extensions),
    };
    updates.add(position, {
      declareReads: (readSet) => {
        readSet.addPost(link);
      },
      apply: (changeset) => {
        changePayout(changeset, link, () => changes);
      },
    });
  },
);

function beneficiariesOf(extensions: readonly unknown[]): string | null {
  const lists = extensions.flatMap((extension) => beneficiaryExtension.safeParse(extension).data ?? []);
  const beneficiaries = lists.at(-1)?.value.beneficiaries ?? [];
  return beneficiaries.length === 0 ? null : JSON.stringify(beneficiaries);
}
