import { vests } from '../assets';
import { type NamedOperation } from '../dialect';

/** Virtual: what the witness gets for a block. Every block of Hive has it, so a follower sees a virtual operation in each. */
export function producerReward(producer: string): NamedOperation {
  return { name: 'producer_reward', value: { producer, vesting_shares: vests(1) } };
}
