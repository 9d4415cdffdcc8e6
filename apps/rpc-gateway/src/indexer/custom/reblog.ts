import { z } from 'zod';
import { type Book } from '../book/book';
import { type Effect, type Moment } from '../effects';
import { type PostLink } from '../needs';
import { tellUnlessMuted } from '../telling';
import { findCommand } from './command';

const shape = z.object({
  account: z.string(),
  author: z.string(),
  permlink: z.string(),
  delete: z.unknown().optional(),
});

/** `["reblog", {…}]`. */
export function readReblog(signer: string, json: unknown): Effect | undefined {
  const command = findCommand(json);
  return command?.name === 'reblog' ? readPayload(signer, command.payload) : undefined;
}

/** The same; earlier blocks have the second part alone, where nothing else can be meant. */
export function readReblogAlone(signer: string, json: unknown): Effect | undefined {
  return readReblog(signer, json) ?? readPayload(signer, json);
}

function readPayload(signer: string, payload: unknown): Effect | undefined {
  const { data } = shape.safeParse(payload);
  if (data === undefined || data.account !== signer) return undefined;
  const isUndone = data.delete === 'delete';
  return {
    need: (needs, { time }) => {
      needs.mark(signer, data);
      if (!isUndone) needs.telling(data.author, signer, time);
    },
    apply: (book, moment) => {
      reblog(book, moment, signer, data, isUndone);
    },
  };
}

function reblog(book: Book, moment: Moment, name: string, { author, permlink }: PostLink, isUndone: boolean) {
  const { accounts, posts, reblogs } = book;
  const account = accounts.find(name);
  const post = posts.find(accounts.find(author)?.id, permlink);
  if (!account || !post || reblogs.has(post.id, account.id) !== isUndone) return;
  if (isUndone) {
    reblogs.remove(post.id, account.id);
    return;
  }
  reblogs.add(post.id, account.id);
  tellUnlessMuted(book, moment, 'reblog', { recipientId: post.authorId, sourceId: account.id, postId: post.id });
}
