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
import { AnnounceNextPage, type NextPage } from '@waggle/service';
import { z } from 'zod';
import { linkHeaders } from '@waggle/service/api-description';
import { RespondsWith } from '../api-description/responds-with';
import { ListReadsInterceptor } from '../sessions/list-reads.interceptor';
import { AccessGuard, Caller } from '../sessions/access.guard';
import { ConversationLists } from './conversation-lists';

@Controller('messages')
@UseGuards(AccessGuard)
@UseInterceptors(ListReadsInterceptor)
export class ConversationsController {
  constructor(private readonly lists: ConversationLists) {}

  @Get('conversations')
  @RespondsWith([z.union([extendedConversation, conversation])], {
    summary: `The conversations of the caller, the last updated first, at most ${maxConversations} and 512 KiB`,
    description: 'A conversation that is updated between two pages moves to the start of the list.',
    errors: ['invalid-request'],
    headers: linkHeaders,
  })
  async list(
    @Caller() caller: string,
    @Query({ schema: extendableQuery }) { extended, cursor }: ExtendableQuery,
    @AnnounceNextPage() announce: NextPage,
  ): Promise<Conversation[]> {
    return announce(await this.lists.ofAccount(caller, extended, cursor));
  }

  /** Returns one object for `id`; for `ids` a list in the requested order, without those that do not exist. */
  @Get('conversation')
  @RespondsWith(z.union([extendedConversation, conversation, z.array(z.union([extendedConversation, conversation]))]), {
    summary: 'One conversation by id, or several by ids',
    description:
      'For `id` one object; for `ids` a list in the requested order, without those that do not exist, at most 512 KiB: `Link` has the others. Channels are visible to all accounts; an account that requests one follows it.',
    errors: ['invalid-request', 'not-found'],
    headers: linkHeaders,
  })
  async get(
    @Caller() caller: string,
    @Query({ schema: conversationQuery }) { id, ids, extended }: ConversationQuery,
    @AnnounceNextPage() announce: NextPage,
  ): Promise<Conversation | Conversation[]> {
    if (id !== undefined) return this.lists.find(id, caller, extended);
    return announce(await this.lists.findSeveral(ids ?? [], caller, extended), 'ids');
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
    @AnnounceNextPage() announce: NextPage,
  ): Promise<string[]> {
    return announce(await this.lists.members(id, caller, cursor));
  }
}
