import { Module } from '@nestjs/common';
import { POOL } from '@waggle/service';
import { type Pool } from 'pg';
import { RealtimeModule } from '../realtime/realtime.module';
import { SessionsModule } from '../sessions/sessions.module';
import { StreamsModule } from '../streams/streams.module';
import { CatchUp } from './catch-up';
import { Changes } from './changes';
import { Following } from './following';
import { lanes, MESSAGE_STORAGE, MessageQueue } from './message-queue';
import { MessageWriter } from './message-writer';
import { MessagesController } from './messages.controller';
import { MessagesFrames } from './messages.frames';
import { MessagesService } from './messages.service';
import { MessagesStore } from './messages.store';
import { OwnCommits } from './own-commits';
import { QUEUE_POOL, QueuePool } from './queue-pool';
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
    OwnCommits,
    Typing,
    {
      provide: MESSAGE_STORAGE,
      inject: [QUEUE_POOL, POOL],
      useFactory: (queuePool: QueuePool, pool: Pool): MessageStorage => {
        const writer = new MessageWriter(queuePool, pool);
        const store = new MessagesStore(queuePool);
        return {
          write: (messages) => writer.write(messages),
          bringIn: (message) => writer.bringIn(message),
          acknowledge: (acknowledgments) => store.acknowledge(acknowledgments),
        };
      },
    },
    { provide: QUEUE_POOL, inject: [POOL], useFactory: (pool: Pool) => new QueuePool(pool, lanes) },
  ],
  exports: [Changes, Following, MessageQueue, MessagesService, MessagesStore],
})
export class MessagesModule {}
