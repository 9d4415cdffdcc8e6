import { type Post } from './read-posts';

type Payouts = Pick<Post, 'isPaid' | 'authorPayout' | 'curatorPayout' | 'pendingPayout'>;

/** Adds up what the author and the curators of a post got and can expect, in thousandths of HBD. */
export function totalPayout({ authorPayout, curatorPayout, pendingPayout }: Payouts): bigint {
  return BigInt(authorPayout) + BigInt(curatorPayout) + BigInt(pendingPayout);
}

/** Returns what public APIs call the pending payout of a post, in thousandths of HBD: 0 if it is paid. */
export function expectedPayout(post: Payouts): bigint {
  return post.isPaid ? 0n : totalPayout(post);
}
