import { Controller, Get, Query, UseGuards } from '@nestjs/common';
import { historyQuery, type HistoryQuery, type Message, type UnreadMessage } from '@waggle/contracts';
import { AccessGuard, Caller } from '../sessions/access.guard';
import { MessagesService } from './messages.service';

@Controller('messages')
@UseGuards(AccessGuard)
export class MessagesController {
  constructor(private readonly messages: MessagesService) {}

  @Get('new')
  listUnread(@Caller() caller: string): Promise<UnreadMessage[]> {
    return this.messages.listUnread(caller);
  }

  @Get('chats')
  getHistory(@Caller() caller: string, @Query({ schema: historyQuery }) query: HistoryQuery): Promise<Message[]> {
    return this.messages.getHistory(caller, query);
  }
}
