import { hbd } from '../state/assets';
import { computePayout } from '../state/rewards';
import { type BlockEffect } from './block-effect';

/** Pays out comments that are due. The payout is stored and emitted; balances do not change. */
export const payComments: BlockEffect = ({ state, now, emit }) => {
  for (const comment of state.comments.toPay()) {
    if (comment.payoutTime > now) break;
    const { author, permlink } = comment;
    const payout = computePayout(comment);
    state.comments.put({ ...comment, payout });
    const total = payout.author.plus(payout.curators);
    if (total.units > 0n) {
      emit({
        name: 'comment_reward',
        value: {
          author,
          permlink,
          payout: total,
          author_rewards: payout.author.units,
          total_payout_value: payout.author,
          curator_payout_value: payout.curators,
          beneficiary_payout_value: hbd(0),
        },
      });
    }
    emit({ name: 'comment_payout_update', value: { author, permlink } });
  }
};
