import { mutedBits } from '../../posts/muted-reasons';
import { communityRoles } from '../../communities/roles';
import { type Account } from '../changeset/accounts';
import { type Changeset } from '../changeset/changeset';
import { type Community } from '../changeset/communities';
import { type Post } from '../changeset/posts';
import { communityScore, findCommunity } from '../community-actions/register-community';
import { notify, notifyUnlessMuted } from '../changeset/notification-rules';
import { type CommentOperation } from './comment-update';
import { startPayout } from './payouts';

/** The maximum of the column; the chain has no limit. */
const maxDepth = 32_767;

/** Creates a post or comment. @returns undefined if its parent is not indexed */
export function createPost(
  changeset: Changeset,
  time: Date,
  author: Account,
  comment: CommentOperation,
): Post | undefined {
  const isComment = comment.parentAuthor !== '';
  const parent = isComment
    ? changeset.posts.find(changeset.accounts.find(comment.parentAuthor)?.id, comment.parentPermlink)
    : undefined;
  if (isComment && parent === undefined) return undefined;

  const community = parent
    ? changeset.communities.find(parent.communityId)
    : findCommunity(changeset, comment.parentPermlink);
  const isForbidden = community !== undefined && !mayWrite(changeset, community, author, isComment);
  const isParentMuted = parent !== undefined && parent.mutedReasons > 0;
  const post = changeset.posts.create(
    {
      parentId: parent?.id ?? null,
      parentAuthorId: parent?.authorId ?? null,
      authorId: author.id,
      communityId: community?.id ?? null,
      depth: parent ? Math.min(parent.depth + 1, maxDepth) : 0,
      mutedReasons:
        (isForbidden ? mutedBits('MUTED_COMMUNITY_TYPE') : 0) | (isParentMuted ? mutedBits('MUTED_PARENT') : 0),
      isPinned: false,
      isDeleted: false,
      permlink: comment.permlink,
      created: time,
    },
    parent,
  );
  startPayout(changeset, post);
  if (!isComment)
    changeset.posts.blogEntries.put({ postId: post.id, accountId: author.id, isReblog: false, created: time });
  if (parent) {
    const type = parent.parentId === null ? 'reply' : 'reply_comment';
    const accountIds = { recipientId: parent.authorId, sourceId: author.id };
    notifyUnlessMuted(changeset, time, type, { ...accountIds, postId: post.id, subjectId: parent.id });
  }
  if (post.mutedReasons > 0 && community) notifyMuted(changeset, time, post, community);
  return post;
}

/** Whether the type of the community lets the author write there; posts of others are muted. */
function mayWrite({ communities }: Changeset, { id, typeId }: Community, author: Account, isComment: boolean): boolean {
  const isOpen = typeId === 1 || (typeId === 2 && isComment);
  return isOpen || communities.role(id, author.id) >= communityRoles.member;
}

/** Public gateways use this text for every reason. */
function notifyMuted(changeset: Changeset, time: Date, { id, authorId }: Post, community: Community): void {
  notify(changeset, time, 'error', {
    recipientId: authorId,
    sourceId: community.id,
    postId: id,
    communityId: community.id,
    score: communityScore,
    payload: 'Post is muted because parent post/comment is muted',
  });
}
