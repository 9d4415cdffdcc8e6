import { type UnmetNeed } from '@waggle/contracts';
import { blockIntervalSeconds } from '../block-interval';
import { type IndexContents, type IndexView } from './index-view';

/** What a local method can need of the index for its result to equal a complete index's. */
export const needNames = [
  'live-head',
  'follows',
  'communities',
  'posts',
  'post-contents',
  'votes',
  'reputations',
  'notifications',
] as const;
export type Need = (typeof needNames)[number];

/** The needs of a method. Every method that reads the index needs it to be at the head of the chain. */
export type Needs = readonly [] | readonly ['live-head', ...Need[]];

/** Returns the reason why a need is not met, as a sentence; undefined if it is met. */
type Rule = (contents: IndexContents, view: IndexView) => string | undefined;

/** The network's gateways delete notifications after this time. */
const notificationDays = 90;
const dayMs = 24 * 60 * 60 * 1_000;
/** Covers the difference between the head known here and the indexer's, which decides the age of a notification. */
const headDifferenceMs = 60_000;

const rules: Readonly<Record<Need, Rule>> = {
  'live-head': (_contents, { lag, maxLagSeconds }) => {
    if (lag === undefined) return 'No node has reported the last irreversible block.';
    // While no node responds, forwarding would only fail, and the lag that responses report grows.
    if (lag.blocks * blockIntervalSeconds <= maxLagSeconds) return undefined;
    return `The index is ${lag.blocks} blocks behind the last irreversible one; the limit is ${maxLagSeconds} s (INDEX_MAX_LAG_SECONDS).`;
  },
  follows: wholeChain('follows, mutes, blacklists and their descriptions'),
  communities: wholeChain('communities, roles, titles and subscriptions'),
  posts: wholeChain('posts and reblogs'),
  'post-contents': (contents, view) =>
    wholeChain('posts')(contents, view) ??
    (contents.hasPosts ? undefined : 'The index was made by a version without the contents of posts: reindex.') ??
    (contents.hasRankings ? undefined : 'The indexer has not ranked the unpaid posts: it has not caught up yet.'),
  votes: (contents, view) =>
    wholeChain('votes')(contents, view) ??
    (contents.hasVotes ? undefined : 'The index lacks the votes of paid posts (VOTES=unpaid, or an older version).'),
  reputations: wholeChain('votes, from which reputations are computed'),
  // A mute of any age suppresses a notification, and so does the reputation of its source.
  notifications: (contents, view) =>
    wholeChain('mutes, reputations and posts')(contents, view) ?? retention(contents, view),
};

function wholeChain(lacking: string): Rule {
  return ({ firstBlock }) =>
    firstBlock === 1 ? undefined : `The index starts with block ${firstBlock} and lacks earlier ${lacking}.`;
}

function retention({ begins, notificationsFrom, blockTime }: IndexContents, { lag }: IndexView): string | undefined {
  // The index has every notification since it begins, as on a chain that is younger than the retention.
  if (notificationsFrom <= begins) return undefined;
  const headMs = blockTime.getTime() + (lag?.seconds ?? 0) * 1_000;
  if (notificationsFrom.getTime() <= headMs - notificationDays * dayMs + headDifferenceMs) return undefined;
  const since = notificationsFrom.toISOString().slice(0, 19);
  return `The index has notifications since ${since}Z; ${notificationDays} days are needed (NOTIFICATION_DAYS).`;
}

/** Returns the needs that the index does not meet. */
export function unmetNeeds(needs: readonly Need[], view: IndexView): UnmetNeed[] {
  const { contents } = view;
  return needs.flatMap((need) => {
    const reason = typeof contents === 'string' ? missing[contents] : rules[need](contents, view);
    return reason === undefined ? [] : [{ need, reason }];
  });
}

const missing = {
  'not-started': 'The index is empty: the indexer has not applied a block.',
  unreadable: 'The index cannot be read from the database.',
} as const;

/** Describes the index for `GET /health/ready`. */
export function reportIndex(view: IndexView): Readonly<Record<string, unknown>> {
  const { contents, lag } = view;
  const reasons = new Map(unmetNeeds(needNames, view).map(({ need, reason }) => [need, reason]));
  return {
    block: typeof contents === 'string' ? undefined : contents.block,
    lagSeconds: lag?.seconds,
    needs: Object.fromEntries(needNames.map((need) => [need, reasons.get(need) ?? 'met'])),
  };
}
