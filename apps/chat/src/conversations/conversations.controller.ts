import { Controller, Get, Query, UseGuards } from '@nestjs/common';
import { conversationQuery, type Conversation, type ConversationQuery } from '@waggle/contracts';
import { AccessGuard, Caller } from '../sessions/access.guard';
import { ConversationsService } from './conversations.service';

@Controller('messages')
@UseGuards(AccessGuard)
export class ConversationsController {
  constructor(private readonly conversations: ConversationsService) {}

  @Get('conversations')
  list(@Caller() caller: string): Promise<Conversation[]> {
    return this.conversations.listOf(caller);
  }

  /** One object for `id`; for `ids` an array in the order asked, without those that are not there. */
  @Get('conversation')
  get(
    @Caller() caller: string,
    @Query({ schema: conversationQuery }) { id, ids }: ConversationQuery,
  ): Promise<Conversation | Conversation[]> {
    return id === undefined ? this.conversations.list(ids ?? [], caller) : this.conversations.get(id, caller);
  }
}
