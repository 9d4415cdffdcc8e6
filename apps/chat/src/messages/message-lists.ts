import { Injectable } from '@nestjs/common';
import { type HistoryQuery, type MessageWithSeq, type UnreadMessageWithSeq } from '@waggle/contracts';
import { notFound } from '../errors';
import { type Page } from '../lists/page';
import { Following } from './following';
import { MessageListsStore } from './message-lists.store';

/** Reads messages in pages. */
@Injectable()
export class MessageLists {
  constructor(
    private readonly store: MessageListsStore,
    private readonly following: Following,
  ) {}

  /** Returns the newest messages before an instant, and the instant for the next page. @throws ChatError `not-found` */
  async getHistory(account: string, query: HistoryQuery): Promise<Page<MessageWithSeq>> {
    const { conversation_id: id, before, limit } = query;
    const history = await this.following.readAndFollow(account, async () => {
      const found = await this.store.findHistory(id, account, before, limit);
      return { found, followable: found?.mayFollow === true ? [id] : [] };
    });
    if (history === undefined) throw notFound();
    const { messages, hasNext } = history;
    return { items: messages, next: hasNext ? messages[0]?.timestamp : undefined };
  }

  listUnread(account: string, cursor: string | undefined): Promise<Page<UnreadMessageWithSeq>> {
    return this.store.listUnread(account, cursor);
  }
}
