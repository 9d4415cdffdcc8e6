import { Controller, Get, Query, UseGuards } from '@nestjs/common';
import {
  conversation,
  conversationQuery,
  conversationsMost,
  extendableQuery,
  extendedConversation,
  type Conversation,
  type ConversationQuery,
  type ExtendableQuery,
} from '@waggle/contracts';
import { z } from 'zod';
import { Answers } from '../api-description/answers';
import { AccessGuard, Caller } from '../sessions/access.guard';
import { ConversationsService } from './conversations.service';

@Controller('messages')
@UseGuards(AccessGuard)
export class ConversationsController {
  constructor(private readonly conversations: ConversationsService) {}

  @Get('conversations')
  @Answers([z.union([extendedConversation, conversation])], {
    summary: `The conversations of the caller, the latest touched first, at most ${conversationsMost}`,
  })
  list(
    @Caller() caller: string,
    @Query({ schema: extendableQuery }) { extended }: ExtendableQuery,
  ): Promise<Conversation[]> {
    return this.conversations.listOf(caller, extended);
  }

  /** One object for `id`; for `ids` an array in the order asked, without those that are not there. */
  @Get('conversation')
  @Answers(z.union([extendedConversation, conversation, z.array(z.union([extendedConversation, conversation]))]), {
    summary: 'One conversation by id, or several by ids',
    description:
      'For `id` one object; for `ids` a list in the order asked, without those that are not there. Channels are visible to all; whoever asks for one then hears what happens there.',
    errors: ['invalid-request', 'not-found'],
  })
  get(
    @Caller() caller: string,
    @Query({ schema: conversationQuery }) { id, ids, extended }: ConversationQuery,
  ): Promise<Conversation | Conversation[]> {
    return id === undefined
      ? this.conversations.list(ids ?? [], caller, extended)
      : this.conversations.get(id, caller, extended);
  }
}
