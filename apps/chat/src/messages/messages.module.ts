import { Module } from '@nestjs/common';
import { RealtimeModule } from '../realtime/realtime.module';
import { SessionsModule } from '../sessions/sessions.module';
import { StreamsModule } from '../streams/streams.module';
import { CatchUp } from './catch-up';
import { Changes } from './changes';
import { Following } from './following';
import { MESSAGE_STORAGE, MessageQueue } from './message-queue';
import { MessageWriter } from './message-writer';
import { MessagesController } from './messages.controller';
import { MessagesFrames } from './messages.frames';
import { MessagesService } from './messages.service';
import { MessagesStore } from './messages.store';
import { type MessageStorage } from './storing';
import { Typing } from './typing';

/** Messages: stored in order, told to members, read and acknowledged. */
@Module({
  imports: [RealtimeModule, SessionsModule, StreamsModule],
  controllers: [MessagesController],
  providers: [
    CatchUp,
    Changes,
    Following,
    MessageQueue,
    MessagesFrames,
    MessagesService,
    MessagesStore,
    MessageWriter,
    Typing,
    {
      provide: MESSAGE_STORAGE,
      inject: [MessageWriter, MessagesStore],
      useFactory: (writer: MessageWriter, store: MessagesStore): MessageStorage => ({
        write: (messages) => writer.write(messages),
        acknowledge: (acknowledgments) => store.acknowledge(acknowledgments),
      }),
    },
  ],
  exports: [Changes, Following, MessageQueue, MessagesService, MessagesStore],
})
export class MessagesModule {}
