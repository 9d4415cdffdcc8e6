import { vests } from '../assets';
import { type BlockEffect } from './block-effect';

/** What the witness gets for a block. Every block of Hive has it, so a follower sees a virtual operation in each. */
export function producerReward(producer: string): BlockEffect {
  return ({ emit }) => {
    emit({ name: 'producer_reward', value: { producer, vesting_shares: vests(1) } });
  };
}
