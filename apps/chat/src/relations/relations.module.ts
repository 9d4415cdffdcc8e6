import { Module } from '@nestjs/common';
import { DeliveryModule } from '../delivery/delivery.module';
import { MessagesModule } from '../messages/messages.module';
import { RealtimeModule } from '../realtime/realtime.module';
import { SessionsModule } from '../sessions/sessions.module';
import { BlocksService } from './blocks.service';
import { FriendshipsService } from './friendships.service';
import { RelationsController } from './relations.controller';
import { RelationsFrames } from './relations.frames';
import { RelationsStore } from './relations.store';

/** What accounts are to one another: friends, blocked. */
@Module({
  imports: [DeliveryModule, MessagesModule, RealtimeModule, SessionsModule],
  controllers: [RelationsController],
  providers: [BlocksService, FriendshipsService, RelationsFrames, RelationsStore],
})
export class RelationsModule {}
