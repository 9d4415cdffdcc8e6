import { reputationAfterVote } from '../../accounts/reputation';
import { findVoteNews } from '../../votes/vote-value';
import { type Account } from '../book/accounts';
import { type Book } from '../book/book';
import { type YoungPost } from '../book/posts';
import { type Moment } from '../effects';
import { type PostLink } from '../needs';
import { tellUnlessMuted } from '../telling';

interface CountedVote {
  readonly voter: string;
  readonly link: PostLink;
  readonly rshares: bigint;
  /** What the post would be paid with it, in thousandths of HBD. */
  readonly pendingPayout: bigint;
}

/** Votes on older posts are told to nobody. */
export const youthMs = 97 * 24 * 60 * 60 * 1_000;

export function countVote(
  book: Book,
  moment: Moment,
  { voter: name, link, rshares, pendingPayout }: CountedVote,
): void {
  const { accounts, posts } = book;
  const [voter, author] = [accounts.find(name), accounts.find(link.author)];
  if (!voter || !author) return;
  const post = posts.find(author.id, link.permlink);
  const before = post ? (posts.votes.find(post.id, voter.id)?.rshares ?? 0n) : 0n;
  changeReputation(book, voter, author, { before, rshares });
  if (post === undefined) return;
  posts.votes.put({ postId: post.id, voterId: voter.id, rshares });
  const young = posts.young.find(post.id);
  if (young) tellVote(book, moment, voter, rshares, addVote(book, young, { before, rshares, pendingPayout }));
}

/** Of accounts whose reputation is not known, it stays so. */
function changeReputation(
  { accounts }: Book,
  { reputation: ofVoter }: Account,
  { id, reputation: ofAuthor }: Account,
  vote: { before: bigint; rshares: bigint },
) {
  if (ofVoter === null || ofAuthor === null) return;
  const reputation = reputationAfterVote(ofAuthor, ofVoter, vote);
  if (reputation !== ofAuthor) accounts.change(id, () => ({ reputation }));
}

function addVote(
  { posts, communities }: Book,
  young: YoungPost,
  { before, rshares, pendingPayout }: { before: bigint; rshares: bigint; pendingPayout: bigint },
): YoungPost {
  if (!young.isPaid) communities.addPendingPayout(young.communityId, pendingPayout - young.pendingPayout);
  return posts.young.put({
    ...young,
    pendingPayout,
    rshares: young.rshares + rshares - before,
    absoluteRshares: young.absoluteRshares + absolute(rshares) - absolute(before),
  });
}

function tellVote(book: Book, moment: Moment, voter: Account, rshares: bigint, young: YoungPost) {
  if (moment.time.getTime() - young.created.getTime() > youthMs) return;
  const news = findVoteNews(young, rshares);
  if (news === undefined) return;
  const between = { recipientId: young.authorId, sourceId: voter.id, postId: young.postId };
  tellUnlessMuted(book, moment, 'vote', { ...between, ...news });
}

function absolute(number: bigint): bigint {
  return number < 0n ? -number : number;
}
