import { type ChainView } from '../../chain/chain-view';
import { fullPercent } from '../../percent';
import { hivePrice } from '../../protocol';
import { hive } from '../../state/assets';
import { rsharesPerHbd } from '../../state/comments';

/** HIVE_FEED_INTERVAL_BLOCKS of hived: one hour. */
const feedIntervalBlocks = 1200;
/** HIVE_FEED_HISTORY_WINDOW of hived, in prices: 84 hours. */
const feedHistoryWindow = 84;

/** The name of the only reward fund. */
export const rewardFundName = 'post';
/** Made up: for the value of votes, only its ratio to `recentClaims` counts. */
const rewardBalance = hive(800_000);
/** The units of one HIVE, see `Asset`. */
const unitsPerHive = 1000n;
/**
 * Chosen so that clients compute the same vote value as `pendingPayout`: rshares × reward_balance ÷ recent_claims ×
 * price, with the balance in HIVE.
 */
const recentClaims =
  (rsharesPerHbd * rewardBalance.units * hivePrice.base.units) / hivePrice.quote.units / unitsPerHive;

/**
 * Returns the result of get_feed_history, with amounts as `Asset`, which `write` serializes. The price never changes.
 */
export function feedHistory({ head }: ChainView): object {
  const priceCount = Math.min(feedHistoryWindow, 1 + Math.floor(head.number / feedIntervalBlocks));
  return {
    id: 0,
    current_median_history: hivePrice,
    market_median_history: hivePrice,
    current_min_history: hivePrice,
    current_max_history: hivePrice,
    price_history: Array<typeof hivePrice>(priceCount).fill(hivePrice),
  };
}

/**
 * Returns the only reward fund, with amounts as `Asset`. Its curves are linear, as on Hive since hardfork 25 and in the
 * payouts of this chain.
 */
export function rewardFund({ head }: ChainView): object {
  return {
    id: 0,
    name: rewardFundName,
    reward_balance: rewardBalance,
    recent_claims: String(recentClaims),
    last_update: head.timestamp,
    content_constant: '2000000000000',
    percent_curation_rewards: fullPercent / 2,
    percent_content_rewards: fullPercent,
    author_reward_curve: 'linear',
    curation_reward_curve: 'linear',
  };
}
