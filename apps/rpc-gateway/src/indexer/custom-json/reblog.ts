import { z } from 'zod';
import { type Changeset } from '../changeset/changeset';
import { type IndexUpdate } from '../changeset/index-updates';
import { type PostLink } from '../changeset/read-set';
import { notifyUnlessMuted } from '../changeset/notification-rules';

const shape = z.object({
  account: z.string(),
  author: z.string(),
  permlink: z.string(),
  delete: z.unknown().optional(),
});

/** Reads the payload of a reblog command. @returns undefined if it is not valid */
export function readReblog(signer: string, payload: unknown): IndexUpdate | undefined {
  const { data } = shape.safeParse(payload);
  if (data === undefined || data.account !== signer) return undefined;
  const isRemoval = data.delete === 'delete';
  return {
    declareReads: (readSet, time) => {
      readSet.addPostAction(signer, data);
      if (!isRemoval) readSet.addMuteCheck(data.author, signer, time);
    },
    apply: (changeset, time) => {
      reblog(changeset, time, signer, data, isRemoval);
    },
  };
}

function reblog(
  changeset: Changeset,
  time: Date,
  name: string,
  { author, permlink }: PostLink,
  isRemoval: boolean,
): void {
  const { accounts, posts } = changeset;
  const account = accounts.find(name);
  const post = posts.find(accounts.find(author)?.id, permlink);
  if (!account || !post) return;
  const stored = posts.blogEntries.find(post.id, account.id);
  // It also takes an account's own post from its blog: `delete_reblog_feed_cache` of hivemind.
  if (isRemoval && stored !== undefined) posts.blogEntries.remove(stored);
  if (isRemoval || stored?.isReblog === true) return;
  posts.blogEntries.put({ postId: post.id, accountId: account.id, created: time, ...stored, isReblog: true });
  notifyUnlessMuted(changeset, time, 'reblog', { recipientId: post.authorId, sourceId: account.id, postId: post.id });
}
