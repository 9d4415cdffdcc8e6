import { Controller, Get, Query, UseGuards, UseInterceptors } from '@nestjs/common';
import { maxPins, ofConversationQuery, pin, type OfConversationQuery, type Pin } from '@waggle/contracts';
import { RespondsWith } from '../api-description/responds-with';
import { AccessGuard, Caller } from '../sessions/access.guard';
import { QueueListReads } from '../sessions/queue-list-reads.interceptor';
import { PinsService } from './pins.service';

@Controller('messages')
@UseGuards(AccessGuard)
@UseInterceptors(QueueListReads)
export class PinsController {
  constructor(private readonly pins: PinsService) {}

  @Get('pins')
  @RespondsWith([pin], {
    summary: `The pinned messages of a conversation, at most ${maxPins}, the last pinned first`,
    description: 'Any account may read those of a channel, without following it.',
    errors: ['invalid-request', 'not-found'],
  })
  list(@Caller() caller: string, @Query({ schema: ofConversationQuery }) query: OfConversationQuery): Promise<Pin[]> {
    return this.pins.list(query.conversation_id, caller);
  }
}
