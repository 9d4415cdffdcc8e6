import { hive } from '../../state/assets';
import { type ChainView } from '../../chain/chain-view';
import { hivePrice } from '../../protocol';
import { rsharesPerHbd } from '../../state/comments';
import { fullWeight } from '../../state/votes';

/** HIVE_FEED_INTERVAL_BLOCKS and HIVE_FEED_HISTORY_WINDOW of hived: a price an hour, for three and a half days. */
const feedIntervalBlocks = 1200;
const feedHistoryWindow = 84;

/** get_feed_history; amounts are `Asset`s. The price never changed. */
export function feedHistory({ head }: ChainView): object {
  const hours = Math.min(feedHistoryWindow, 1 + Math.floor(head.number / feedIntervalBlocks));
  return {
    id: 0,
    current_median_history: hivePrice,
    market_median_history: hivePrice,
    current_min_history: hivePrice,
    current_max_history: hivePrice,
    price_history: Array<typeof hivePrice>(hours).fill(hivePrice),
  };
}

const rewardBalance = hive(800_000);
/** With these claims, clients compute the same value of votes as `pendingPayout`. */
const recentClaims = (rewardBalance.units * hivePrice.base.units * rsharesPerHbd) / hivePrice.quote.units / 1000n;

/** The only reward fund; amounts are `Asset`s. The curves are linear since hardfork 25, as payouts here. */
export function rewardFund({ head }: ChainView): { readonly name: string } {
  const fund = {
    id: 0,
    name: 'post',
    reward_balance: rewardBalance,
    recent_claims: String(recentClaims),
    last_update: head.timestamp,
    content_constant: '2000000000000',
    percent_curation_rewards: fullWeight / 2,
    percent_content_rewards: fullWeight,
    author_reward_curve: 'linear',
    curation_reward_curve: 'linear',
  };
  return fund;
}
