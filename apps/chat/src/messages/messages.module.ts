import { Module } from '@nestjs/common';
import { DeliveryModule } from '../delivery/delivery.module';
import { LogModule } from '../log/log.module';
import { MembershipModule } from '../membership/membership.module';
import { RealtimeModule } from '../realtime/realtime.module';
import { SessionsModule } from '../sessions/sessions.module';
import { ConversationChangesStore } from './conversation-changes.store';
import { DeletionService } from './deletion.service';
import { EditingService } from './editing.service';
import { Following } from './following';
import { MessageLists } from './message-lists';
import { MessageWriter } from './message-writer';
import { MessagesController } from './messages.controller';
import { MessageQueue } from './message-queue';
import { MessagesService } from './messages.service';
import { MessageListsStore } from './message-lists.store';
import { Typing } from './typing';

/** Messages: stored in order, delivered to members, read, acknowledged and deleted. */
@Module({
  imports: [DeliveryModule, LogModule, MembershipModule, RealtimeModule, SessionsModule],
  controllers: [MessagesController],
  providers: [
    ConversationChangesStore,
    DeletionService,
    EditingService,
    Following,
    MessageLists,
    MessageQueue,
    MessageWriter,
    MessagesService,
    MessageListsStore,
    Typing,
  ],
  exports: [Following, MessagesService],
})
export class MessagesModule {}
