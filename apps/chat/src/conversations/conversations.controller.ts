import { Controller, Get, Query, UseGuards, UseInterceptors } from '@nestjs/common';
import {
  accountName,
  conversation,
  conversationQuery,
  maxConversations,
  extendableQuery,
  extendedConversation,
  maxMembersPage,
  membersQuery,
  type Conversation,
  type ConversationQuery,
  type ExtendableQuery,
  type MembersQuery,
} from '@waggle/contracts';
import { NextPageLink, type WithNextLink } from '@waggle/service';
import { z } from 'zod';
import { linkHeaders } from '@waggle/service/api-description';
import { RespondsWith } from '../api-description/responds-with';
import { QueueListReads } from '../sessions/queue-list-reads.interceptor';
import { AccessGuard, Caller } from '../sessions/access.guard';
import { maxPageSize } from '../lists/page';
import { ConversationLists } from './conversation-lists';

/** Lists conversations and their members. */
@Controller('messages')
@UseGuards(AccessGuard)
@UseInterceptors(QueueListReads)
export class ConversationsController {
  constructor(private readonly lists: ConversationLists) {}

  @Get('conversations')
  @RespondsWith([z.union([extendedConversation, conversation])], {
    summary: `The conversations of the caller, the last updated first, at most ${maxConversations} and ${maxPageSize}`,
    description: 'A conversation that is updated between two pages moves to the start of the list.',
    errors: ['invalid-request'],
    headers: linkHeaders,
  })
  async list(
    @Caller() caller: string,
    @Query({ schema: extendableQuery }) { extended, cursor }: ExtendableQuery,
    @NextPageLink() withNextLink: WithNextLink,
  ): Promise<Conversation[]> {
    return withNextLink(await this.lists.ofAccount(caller, extended, cursor));
  }

  /** Returns one object for `id`; for `ids` a list in the requested order, without those that do not exist. */
  @Get('conversation')
  @RespondsWith(z.union([extendedConversation, conversation, z.array(z.union([extendedConversation, conversation]))]), {
    summary: 'One conversation by id, or several by ids',
    description: `For \`id\` one object; for \`ids\` a list in the requested order, without those that do not exist, at most ${maxPageSize}: \`Link\` has the others. Channels are visible to all accounts; an account that requests one follows it.`,
    errors: ['invalid-request', 'not-found'],
    headers: linkHeaders,
  })
  async get(
    @Caller() caller: string,
    @Query({ schema: conversationQuery }) { id, ids, extended }: ConversationQuery,
    @NextPageLink() withNextLink: WithNextLink,
  ): Promise<Conversation | Conversation[]> {
    if (id !== undefined) return this.lists.find(id, caller, extended);
    return withNextLink(await this.lists.findSeveral(ids ?? [], caller, extended), 'ids');
  }

  @Get('members')
  @RespondsWith([accountName], {
    summary: `The members of a conversation in the order of \`members\`, at most ${maxMembersPage.toLocaleString('en')} at once`,
    description:
      'Those of a channel are visible to all accounts. An account that leaves and joins again between two pages is listed again, after all others.',
    errors: ['invalid-request', 'not-found'],
    headers: linkHeaders,
  })
  async listMembers(
    @Caller() caller: string,
    @Query({ schema: membersQuery }) { conversation_id: id, cursor }: MembersQuery,
    @NextPageLink() withNextLink: WithNextLink,
  ): Promise<string[]> {
    return withNextLink(await this.lists.members(id, caller, cursor));
  }
}
