import { type NamedOperation } from '../dialect';
import { hiveOf } from '../protocol';
import { hbd, hive, vests } from '../state/assets';
import { computePayout } from '../state/comments';
import { type ChainState } from '../state/state';
import { type HiveTime } from '../time';

/** An effect of a block that does not come from its transactions. */
export type BlockEffect = (context: {
  /** The state to change. */
  readonly state: ChainState;
  /** The time of the block itself. */
  readonly now: HiveTime;
  /** Emits a virtual operation. */
  readonly emit: (operation: NamedOperation) => void;
}) => void;

/** The reward of the witness for a block. Every block of Hive has it, so each has a virtual operation. */
export function producerReward(producer: string): BlockEffect {
  return ({ emit }) => {
    emit({ name: 'producer_reward', value: { producer, vesting_shares: vests(1) } });
  };
}

/** Completes pending returns that are due. */
export const returnDelegations: BlockEffect = ({ state, now, emit }) => {
  for (const expiration of state.delegations.expirationsFrom()) {
    if (expiration.expiration >= now) break;
    const { delegator, vests } = expiration;
    const account = state.getAccount(delegator);
    state.putAccount({ ...account, delegatedVests: account.delegatedVests.minus(vests) });
    state.delegations.removeExpiration(expiration);
    emit({ name: 'return_vesting_delegation', value: { account: delegator, vesting_shares: vests } });
  }
};

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

/** Hardfork 23 moved the funds to this account; here they are removed. */
const treasury = 'hive.fund';

/** The effect of hardfork 23 on some accounts: they lose their funds, delegations and pending returns. */
export function hardforkHive(name: string): BlockEffect {
  return ({ state, emit }) => {
    const account = state.getAccount(name);
    const delegations = state.delegations.by(name);
    for (const delegation of delegations) {
      const to = state.getAccount(delegation.delegatee);
      state.putAccount({ ...to, receivedVests: to.receivedVests.minus(delegation.vests) });
      state.delegations.remove(delegation);
    }
    for (const expiration of state.delegations.expirationsOf(name)) state.delegations.removeExpiration(expiration);
    state.putAccount({
      ...account,
      hive: hive(0),
      hbd: hbd(0),
      vests: vests(0),
      delegatedVests: vests(0),
    });
    emit({
      name: 'hardfork_hive',
      value: {
        account: name,
        treasury,
        other_affected_accounts: delegations.map(({ delegatee }) => delegatee),
        hbd_transferred: account.hbd,
        hive_transferred: account.hive,
        vests_converted: account.vests,
        total_hive_from_vests: hiveOf(account.vests),
      },
    });
  };
}
