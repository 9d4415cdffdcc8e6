import { isCommunityName } from '../../communities/community-name';
import { type Book } from '../book/book';
import { type Effect, type Moment } from '../effects';
import { type PostLink } from '../needs';
import { isChange, mention, namesIn } from './mentions';
import { createPost } from './new-post';

/** A post or comment as it is sent: anew, or edited. */
export interface Writing extends PostLink {
  /** Empty where it is a post. */
  readonly parentAuthor: string;
  /** Of a post, the community or tag that it is written in. */
  readonly parentPermlink: string;
  readonly body: string;
}

export function writingOf(writing: Writing): Effect {
  const { author, parentAuthor, parentPermlink, body } = writing;
  return {
    need: (needs, { time }) => {
      needs.post(writing);
      needs.member(author);
      if (parentAuthor !== '') {
        needs.post({ author: parentAuthor, permlink: parentPermlink });
        needs.telling(parentAuthor, author, time);
      } else if (isCommunityName(parentPermlink)) needs.community(parentPermlink);
      if (!needs.isTold(time)) return;
      if (isChange(body)) needs.text(writing);
      for (const name of namesIn(body)) needs.telling(name, author, time);
    },
    apply: (book, moment) => {
      write(book, moment, writing);
    },
  };
}

function write(book: Book, moment: Moment, writing: Writing): void {
  const author = book.accounts.find(writing.author);
  if (author === undefined) return;
  const former = book.posts.find(author.id, writing.permlink);
  const post = former ?? createPost(book, moment, author, writing);
  // Where what it answers is not known, it is not either.
  if (post) mention(book, moment, post, writing.body);
}
