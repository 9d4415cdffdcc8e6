import { Module } from '@nestjs/common';
import { RealtimeModule } from '../realtime/realtime.module';
import { SessionsModule } from '../sessions/sessions.module';
import { Changes } from './changes';
import { MessageQueue } from './message-queue';
import { MessagesController } from './messages.controller';
import { MessagesFrames } from './messages.frames';
import { MessagesService } from './messages.service';
import { MessagesStore } from './messages.store';

/** Messages: stored in order, told to members, read and acknowledged. */
@Module({
  imports: [RealtimeModule, SessionsModule],
  controllers: [MessagesController],
  providers: [Changes, MessageQueue, MessagesFrames, MessagesService, MessagesStore],
  exports: [Changes, MessageQueue, MessagesService, MessagesStore],
})
export class MessagesModule {}
