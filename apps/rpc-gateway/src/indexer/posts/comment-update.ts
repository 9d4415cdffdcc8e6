import { isCommunityName } from '../../communities/community-name';
import { type Changeset } from '../changeset/changeset';
import { type IndexUpdate } from '../changeset/index-updates';
import { type PostLink } from '../changeset/read-set';
import { possibleMentions, updateMentions } from './mentions';
import { createPost } from './new-post';

/** The operation that creates or edits a post or a comment. */
export interface CommentOperation extends PostLink {
  /** Empty for a post. */
  readonly parentAuthor: string;
  /** For a post, its community or first tag. */
  readonly parentPermlink: string;
  readonly body: string;
}

export function commentUpdate(comment: CommentOperation): IndexUpdate {
  const { author, parentAuthor, parentPermlink, body } = comment;
  return {
    declareReads: (readSet, time) => {
      readSet.addPost(comment);
      readSet.addRolesOf(author);
      if (parentAuthor !== '') {
        readSet.addPost({ author: parentAuthor, permlink: parentPermlink });
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
  if (post) updateMentions(changeset, time, { post, isNew: existing === undefined, body: comment.body });
}
