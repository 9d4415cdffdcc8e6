import { communityRoles } from '../../communities/roles';
import { type Account } from '../book/accounts';
import { type Book } from '../book/book';
import { type Community } from '../book/communities';
import { type Post } from '../book/posts';
import { communityScore, findCommunity } from '../community/register-community';
import { type Moment } from '../effects';
import { tell, tellUnlessMuted } from '../telling';
import { type Writing } from './writing';

/** As many answers below one another as the column holds; the chain itself counts on. */
const deepest = 32_767;

/** @returns undefined where what it answers is not known */
export function createPost(book: Book, moment: Moment, author: Account, writing: Writing): Post | undefined {
  const isComment = writing.parentAuthor !== '';
  const parent = isComment
    ? book.posts.find(book.accounts.find(writing.parentAuthor)?.id, writing.parentPermlink)
    : undefined;
  if (isComment && parent === undefined) return undefined;

  const community = parent ? book.communities.find(parent.communityId) : findCommunity(book, writing.parentPermlink);
  const isRefused = community !== undefined && !mayWrite(book, community, author, isComment);
  const post = book.posts.create({
    parentId: parent?.id ?? null,
    authorId: author.id,
    communityId: community?.id ?? null,
    depth: parent ? Math.min(parent.depth + 1, deepest) : 0,
    isMuted: isRefused || parent?.isMuted === true,
    isPinned: false,
    isDeleted: false,
    permlink: writing.permlink,
  });
  beYoung(book, moment, post);
  if (parent) {
    const type = parent.parentId === null ? 'reply' : 'reply_comment';
    const between = { recipientId: parent.authorId, sourceId: author.id };
    tellUnlessMuted(book, moment, type, { ...between, postId: post.id, subjectId: parent.id });
  }
  if (post.isMuted && community) tellIsMuted(book, moment, post, community);
  return post;
}

/** By the type of the community, who is not a member may not write there; what they write is muted. */
function mayWrite({ communities }: Book, { id, typeId }: Community, author: Account, isComment: boolean): boolean {
  const isOpen = typeId === 1 || (typeId === 2 && isComment);
  return isOpen || communities.role(id, author.id) >= communityRoles.member;
}

function beYoung({ posts, communities }: Book, { time }: Moment, { id, authorId, communityId }: Post) {
  posts.young.put({
    postId: id,
    authorId,
    communityId,
    created: time,
    isPaid: false,
    payout: 0n,
    pendingPayout: 0n,
    rshares: 0n,
    absoluteRshares: 0n,
  });
  communities.countPending(communityId, authorId, 1);
}

/** One text for whatever reason: clients know it from public gateways. */
function tellIsMuted(book: Book, moment: Moment, { id, authorId }: Post, community: Community) {
  tell(book, moment, 'error', {
    recipientId: authorId,
    sourceId: community.id,
    postId: id,
    communityId: community.id,
    score: communityScore,
    payload: 'Post is muted because parent post/comment is muted',
  });
}
