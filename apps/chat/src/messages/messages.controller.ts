import { Controller, Get, Query, UseGuards } from '@nestjs/common';
import {
  historyQuery,
  message,
  unreadMessage,
  unreadMessagesMost,
  type HistoryQuery,
  type Message,
  type UnreadMessage,
} from '@waggle/contracts';
import { Answers } from '../api-description/answers';
import { AccessGuard, Caller } from '../sessions/access.guard';
import { MessagesService } from './messages.service';

@Controller('messages')
@UseGuards(AccessGuard)
export class MessagesController {
  constructor(private readonly messages: MessagesService) {}

  @Get('new')
  @Answers([unreadMessage], {
    summary: `The unread messages of others, the oldest first, at most ${unreadMessagesMost}`,
  })
  listUnread(@Caller() caller: string): Promise<UnreadMessage[]> {
    return this.messages.listUnread(caller);
  }

  @Get('chats')
  @Answers([message], {
    summary: 'The newest messages of a conversation before an instant, in ascending order',
    description: 'Of a channel to anybody, who then hears what happens there.',
    errors: ['invalid-request', 'not-found'],
  })
  getHistory(@Caller() caller: string, @Query({ schema: historyQuery }) query: HistoryQuery): Promise<Message[]> {
    return this.messages.getHistory(caller, query);
  }
}
