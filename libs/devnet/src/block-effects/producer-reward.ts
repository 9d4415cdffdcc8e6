import { vests } from '../state/assets';
import { type BlockEffect } from './block-effect';

/** The reward of the witness for a block. Every block of Hive has it, so each has a virtual operation. */
export function producerReward(producer: string): BlockEffect {
  return ({ emit }) => {
    emit({ name: 'producer_reward', value: { producer, vesting_shares: vests(1) } });
  };
}
