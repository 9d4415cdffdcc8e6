import { Inject, Injectable } from '@nestjs/common';
import {
  type ChangesQuery,
  type ExtendableQuery,
  type ConversationChange,
  type HistoryQuery,
  type MentioningMessage,
  type MentionsQuery,
  type MessageRevision,
  type MessageWithSeq,
  type RevisionsQuery,
  type UnreadCounts,
  type UnreadMessageWithSeq,
} from '@waggle/contracts';
import { POOL } from '@waggle/service';
import { type Pool } from 'pg';
import { notFound } from '../errors';
import { type Page } from '../lists/page';
import { ConversationChangesStore } from './conversation-changes.store';
import { conversationOfMessage } from '../log/conversation-of-message';
import { Following } from './following';
import { MessageListsStore } from './message-lists.store';
import { MessageRevisionsStore } from './message-revisions.store';
import { MESSAGES_SETTINGS, type MessagesSettings } from './messages-settings';

/** Reads messages, and the changes between them, in pages. */
@Injectable()
export class MessageLists {
  constructor(
    private readonly store: MessageListsStore,
    private readonly changes: ConversationChangesStore,
    private readonly revisions: MessageRevisionsStore,
    private readonly following: Following,
    @Inject(POOL) private readonly pool: Pool,
    @Inject(MESSAGES_SETTINGS) private readonly settings: MessagesSettings,
  ) {}

  /**
   * Returns a page of the history. By default: the newest messages before an instant; `next` is an instant. With
   * `around` or `after_seq`: the oldest messages after a sequence number; `next` is a sequence number.
   * @throws ChatError `not-found`
   */
  async getHistory(account: string, query: HistoryQuery): Promise<Page<MessageWithSeq>> {
    const { conversation_id: id, around, limit } = query;
    // The `Link` to the next page has both parameters: it is a page after a sequence number.
    if (around === undefined || query.after_seq !== undefined) return await this.readHistory(account, query);
    const start = await this.store.findPageAround(id, around, limit);
    if (start === undefined) throw notFound();
    const page = await this.readHistory(account, { ...query, after_seq: start.afterSeq });
    // If long messages before it fill the page, it begins with the message instead.
    const endsBefore = page.next !== undefined && Number(page.next) < start.target;
    return endsBefore ? await this.readHistory(account, { ...query, after_seq: start.target - 1 }) : page;
  }

  private async readHistory(account: string, query: HistoryQuery): Promise<Page<MessageWithSeq>> {
    const { conversation_id: id, after_seq: afterSeq } = query;
    const history = await this.following.readAndFollow(account, async () => {
      const found = await this.store.findHistory(account, query);
      return { found, followable: found?.isFollowable === true ? [id] : [] };
    });
    if (history === undefined) throw notFound();
    const { messages, hasNext } = history;
    const next = afterSeq === undefined ? messages[0]?.timestamp : messages.at(-1)?.seq.toString();
    return { items: messages, next: hasNext ? next : undefined };
  }

  /** Returns the newest changes in a range of sequence numbers. @throws ChatError `not-found` */
  async listChanges(account: string, query: ChangesQuery): Promise<Page<ConversationChange>> {
    const page = await this.changes.list(account, query);
    if (page === undefined) throw notFound();
    return page;
  }

  /**
   * Returns the former texts of an edited message, the first one first; none if the service does not keep them.
   * @throws ChatError `not-found`
   */
  async listRevisions(account: string, { id, cursor }: RevisionsQuery): Promise<Page<MessageRevision>> {
    const found = await conversationOfMessage.find(this.pool, { id });
    const message = found && { conversationId: found.conversation_id, id };
    const page = message && (await this.revisions.list(account, message, cursor));
    if (page === undefined) throw notFound();
    return this.settings.keepsRevisions ? page : { items: [], next: undefined };
  }

  /** Returns the newest messages that mention the account, the newest first. */
  listMentions(account: string, query: MentionsQuery): Promise<Page<MentioningMessage>> {
    return this.store.listMentions(account, query);
  }

  countUnread(account: string): Promise<UnreadCounts> {
    return this.store.countUnread(account);
  }

  listUnread(account: string, query: ExtendableQuery): Promise<Page<UnreadMessageWithSeq>> {
    return this.store.listUnread(account, query);
  }
}
