import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { POOL } from '@waggle/service';
import { type Pool } from 'pg';
import { DeliveryModule } from '../delivery/delivery.module';
import { MembershipModule } from '../membership/membership.module';
import { RealtimeModule } from '../realtime/realtime.module';
import { SessionsModule } from '../sessions/sessions.module';
import { DeletionService } from './deletion.service';
import { Following } from './following';
import { MessageLists } from './message-lists';
import { MessageQueue } from './message-queue';
import { MessageWriter } from './message-writer';
import { MessagesController } from './messages.controller';
import { MessagesService } from './messages.service';
import { MessagesStore } from './messages.store';
import { Typing } from './typing';
import { WRITER_POOL, writerPool } from './writer-pool';

/** Messages: stored in order, delivered to members, read, acknowledged and deleted. */
@Module({
  imports: [DeliveryModule, MembershipModule, RealtimeModule, SessionsModule],
  controllers: [MessagesController],
  providers: [
    DeletionService,
    Following,
    MessageLists,
    MessageQueue,
    MessageWriter,
    MessagesService,
    MessagesStore,
    Typing,
    { provide: WRITER_POOL, inject: [POOL], useFactory: writerPool },
  ],
  exports: [Following, MessagesService, MessagesStore],
})
export class MessagesModule implements OnApplicationShutdown {
  constructor(@Inject(WRITER_POOL) private readonly writerPool: Pool) {}

  async onApplicationShutdown() {
    await this.writerPool.end();
  }
}
