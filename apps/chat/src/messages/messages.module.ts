import { Module } from '@nestjs/common';
import { POOL } from '@waggle/service';
import { type Pool } from 'pg';
import { RealtimeModule } from '../realtime/realtime.module';
import { SessionsModule } from '../sessions/sessions.module';
import { StreamsModule } from '../streams/streams.module';
import { acknowledge } from './acknowledge';
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
import { QueueConnections } from './queue-connections';
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
      inject: [QueueConnections, POOL],
      useFactory: (connections: QueueConnections, pool: Pool): MessageStorage => {
        const writer = new MessageWriter(connections, pool);
        return {
          write: (messages) => writer.write(messages),
          bringIn: (message) => writer.bringIn(message),
          acknowledge: (acknowledgments) => connections.use((client) => acknowledge(client, acknowledgments)),
        };
      },
    },
    { provide: QueueConnections, inject: [POOL], useFactory: (pool: Pool) => new QueueConnections(pool, lanes) },
  ],
  exports: [Changes, Following, MessageQueue, MessagesService, MessagesStore],
})
export class MessagesModule {}
