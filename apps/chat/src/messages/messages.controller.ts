import { Controller, Get, Query, UseGuards } from '@nestjs/common';
import {
  extendableQuery,
  historyQuery,
  message,
  placedMessage,
  placedUnreadMessage,
  unreadMessage,
  unreadMessagesMost,
  type ExtendableQuery,
  type HistoryQuery,
  type Message,
  type UnreadMessage,
} from '@waggle/contracts';
import { z } from 'zod';
import { Answers } from '../api-description/answers';
import { AccessGuard, Caller } from '../sessions/access.guard';
import { MessagesService } from './messages.service';

@Controller('messages')
@UseGuards(AccessGuard)
export class MessagesController {
  constructor(private readonly messages: MessagesService) {}

  @Get('new')
  @Answers([z.union([placedUnreadMessage, unreadMessage])], {
    summary: `The unread messages of others, the oldest first, at most ${unreadMessagesMost}`,
  })
  async listUnread(
    @Caller() caller: string,
    @Query({ schema: extendableQuery }) { extended }: ExtendableQuery,
  ): Promise<UnreadMessage[]> {
    const unread = await this.messages.listUnread(caller);
    return extended ? unread : unread.map(withoutPlace);
  }

  @Get('chats')
  @Answers([z.union([placedMessage, message])], {
    summary: 'The newest messages of a conversation before an instant, in ascending order',
    description: 'Of a channel to anybody, who then hears what happens there.',
    errors: ['invalid-request', 'not-found'],
  })
  async getHistory(@Caller() caller: string, @Query({ schema: historyQuery }) query: HistoryQuery): Promise<Message[]> {
    const history = await this.messages.getHistory(caller, query);
    return query.extended ? history : history.map(withoutPlace);
  }
}

/** As it is documented, for who has not asked for more: what is undefined is left out of JSON. */
function withoutPlace<Placed extends { seq: number }>(placed: Placed) {
  return { ...placed, seq: undefined };
}
