import { Controller, Get, Query, UseGuards, UseInterceptors } from '@nestjs/common';
import {
  changesQuery,
  conversationChange,
  extendableQuery,
  mentioningMessage,
  mentionsQuery,
  unreadCounts,
  maxMentionsPage,
  type MentioningMessage,
  type MentionsQuery,
  type UnreadCounts,
  historyQuery,
  message,
  messageRevision,
  ofConversationQuery,
  receipt,
  messageWithSeq,
  revisionsQuery,
  unreadMessage,
  unreadMessageWithSeq,
  maxChangesPage,
  maxRevisionsPage,
  maxUnreadMessages,
  type ChangesQuery,
  type ConversationChange,
  type ExtendableQuery,
  type HistoryQuery,
  type Message,
  type RichFields,
  type MessageRevision,
  type OfConversationQuery,
  type Receipt,
  type RevisionsQuery,
  type UnreadMessage,
} from '@waggle/contracts';
import { NextPageLink, type WithNextLink } from '@waggle/service';
import { z } from 'zod';
import { linkHeaders } from '@waggle/service/api-description';
import { RespondsWith } from '../api-description/responds-with';
import { QueueListReads } from '../sessions/queue-list-reads.interceptor';
import { AccessGuard, Caller } from '../sessions/access.guard';
import { maxPageSize } from '../lists/page';
import { GroupReceipts } from './group-receipts';
import { MessageLists } from './message-lists';

@Controller('messages')
@UseGuards(AccessGuard)
@UseInterceptors(QueueListReads)
export class MessagesController {
  constructor(
    private readonly messages: MessageLists,
    private readonly receipts: GroupReceipts,
  ) {}

  @Get('new')
  @RespondsWith([z.union([unreadMessageWithSeq, unreadMessage])], {
    summary: `The newest unread messages of others, at most ${maxUnreadMessages} and ${maxPageSize}, in ascending order`,
    description: 'The next page has older ones.',
    errors: ['invalid-request'],
    headers: linkHeaders,
  })
  async listUnread(
    @Caller() caller: string,
    @Query({ schema: extendableQuery }) query: ExtendableQuery,
    @NextPageLink() withNextLink: WithNextLink,
  ): Promise<UnreadMessage[]> {
    const items = withNextLink(await this.messages.listUnread(caller, query));
    return query.extended ? items : items.map(toPlain);
  }

  @Get('mentions')
  @RespondsWith([mentioningMessage], {
    summary: `The newest messages that mention the caller or reply to a message of it, at most ${maxMentionsPage} and ${maxPageSize}, the newest first`,
    description:
      'In conversations that the caller may read. A message that was edited is as new as the edit that added the mention. `Link` with `rel="next"` leads to older ones.',
    errors: ['invalid-request'],
    headers: linkHeaders,
  })
  async listMentions(
    @Caller() caller: string,
    @Query({ schema: mentionsQuery }) query: MentionsQuery,
    @NextPageLink() withNextLink: WithNextLink,
  ): Promise<MentioningMessage[]> {
    return withNextLink(await this.messages.listMentions(caller, query));
  }

  @Get('unread-counts')
  @RespondsWith(unreadCounts, { summary: 'The number of unread messages and mentions over all conversations' })
  countUnread(@Caller() caller: string): Promise<UnreadCounts> {
    return this.messages.countUnread(caller);
  }

  // `chats` is the interface's name of the history.
  @Get('chats')
  @RespondsWith([z.union([messageWithSeq, message])], {
    summary: `The newest messages of a conversation before an instant, or the oldest after a sequence number or around a message, at most ${maxPageSize}, in ascending order`,
    description:
      'Any account may read a channel; reading it makes the account a follower. `Link` with `rel="next"` leads to older messages, or with `after_seq` and `around` to newer ones.',
    errors: ['invalid-request', 'not-found'],
    headers: linkHeaders,
  })
  async getHistory(
    @Caller() caller: string,
    @Query({ schema: historyQuery }) query: HistoryQuery,
    @NextPageLink() withNextLink: WithNextLink,
  ): Promise<Message[]> {
    const isNewer = query.after_seq !== undefined || query.around !== undefined;
    const parameter = isNewer ? 'after_seq' : 'before';
    const items = withNextLink(await this.messages.getHistory(caller, query), parameter);
    return query.extended ? items : items.map(toPlain);
  }

  @Get('revisions')
  @RespondsWith([messageRevision], {
    summary: `The former texts of an edited message, at most ${maxRevisionsPage} and ${maxPageSize}, the first one first`,
    description:
      'For those who may read the message. They are kept as long as messages; none if the service is set not to keep them.',
    errors: ['invalid-request', 'not-found'],
    headers: linkHeaders,
  })
  async listRevisions(
    @Caller() caller: string,
    @Query({ schema: revisionsQuery }) query: RevisionsQuery,
    @NextPageLink() withNextLink: WithNextLink,
  ): Promise<MessageRevision[]> {
    return withNextLink(await this.messages.listRevisions(caller, query));
  }

  @Get('receipts')
  @RespondsWith([receipt], {
    summary: 'How far the members of a group have read it, if it is small',
    description:
      'Empty for dms, channels, and groups of more than 50 members unless configured otherwise. Members of whom one blocks the other do not see each other.',
    errors: ['invalid-request', 'not-found'],
  })
  listReceipts(
    @Caller() caller: string,
    @Query({ schema: ofConversationQuery }) query: OfConversationQuery,
  ): Promise<Receipt[]> {
    return this.receipts.list(query.conversation_id, caller);
  }

  @Get('changes')
  @RespondsWith([conversationChange], {
    summary: `The newest changes of a group or channel in a range of sequence numbers, at most ${maxChangesPage}, in ascending order`,
    description:
      'Members who were added or left, moderators who were appointed or dismissed, new names and, in groups, members who were removed. They are kept as long as messages; the first members and the first name are no change. Any account may read those of a channel, without following it. `Link` with `rel="next"` leads to older ones.',
    errors: ['invalid-request', 'not-found'],
    headers: linkHeaders,
  })
  async listChanges(
    @Caller() caller: string,
    @Query({ schema: changesQuery }) query: ChangesQuery,
    @NextPageLink() withNextLink: WithNextLink,
  ): Promise<ConversationChange[]> {
    return withNextLink(await this.messages.listChanges(caller, query), 'until_seq');
  }
}

/** Removes what clients get only if they request it. JSON leaves out what is undefined. */
function toPlain<Item extends RichFields & { seq: number }>(item: Item) {
  return {
    ...item,
    seq: undefined,
    reply_to: undefined,
    revision: undefined,
    edited_at: undefined,
    attachments: undefined,
    mentions: undefined,
    reactions: undefined,
  };
}
