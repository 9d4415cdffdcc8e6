import { isCommunityName } from '../../communities/community-name';
import { type Changeset } from '../changeset/changeset';
import { type IndexUpdate } from '../changeset/index-updates';
import { type Post } from '../changeset/posts';
import { type PostLink } from '../changeset/read-set';
import { possibleMentions, updateMentions } from './mentions';
import { createPost } from './new-post';
import { tagsOf } from './post-tags';

/** The operation that creates or edits a post or a comment. */
export interface CommentOperation extends PostLink {
  /** Empty for a post. */
  readonly parentAuthor: string;
  /** For a post, its community or first tag. */
  readonly parentPermlink: string;
  readonly title: string;
  readonly jsonMetadata: string;
  readonly body: string;
}

export function commentUpdate(comment: CommentOperation): IndexUpdate {
  const { author, parentAuthor, parentPermlink, body } = comment;
  return {
    declareReads: (readSet, time) => {
      readSet.addEdit(comment);
      readSet.addRolesOf(author);
      if (parentAuthor !== '') {
        readSet.addThread({ author: parentAuthor, permlink: parentPermlink });
        readSet.addMuteCheck(parentAuthor, author, time);
      } else if (isCommunityName(parentPermlink)) readSet.addCommunity(parentPermlink);
      if (!readSet.retention.storesTexts(time)) return;
      readSet.addText(comment);
      for (const name of possibleMentions(body)) readSet.addMention(name, comment, time);
    },
    apply: (changeset, time) => {
      applyComment(changeset, time, comment);
    },
  };
}

function applyComment(changeset: Changeset, time: Date, comment: CommentOperation): void {
  const author = changeset.accounts.find(comment.author);
  if (author === undefined) return;
  const existing = changeset.posts.find(author.id, comment.permlink);
  const post = existing ?? createPost(changeset, time, author, comment);
  // Undefined if the parent is not indexed.
  if (post === undefined) return;
  writeContent(changeset, time, post, comment);
  updateMentions(changeset, time, { post, isNew: existing === undefined, body: comment.body });
}

/** Stores title, metadata and tags. An edit without a title or metadata keeps the former ones, but not the tags. */
function writeContent({ posts }: Changeset, time: Date, post: Post, comment: CommentOperation): void {
  const stored = posts.contents.find(post.id);
  const isComment = post.parentId !== null;
  posts.contents.put({
    postId: post.id,
    updated: time,
    revision: stored === undefined ? 0 : stored.revision + 1,
    category: stored?.category ?? (isComment ? null : comment.parentPermlink),
    title: comment.title || (stored?.title ?? ''),
    jsonMetadata: comment.jsonMetadata || (stored?.jsonMetadata ?? ''),
  });
  if (isComment) return;
  const tags = tagsOf(comment.parentPermlink, comment.jsonMetadata);
  for (const row of posts.tags.ofGroup(post.id)) if (!tags.delete(row.tag)) posts.tags.remove(row);
  for (const tag of tags) posts.tags.put({ postId: post.id, tag });
}
