import { Module } from '@nestjs/common';
import { DeliveryModule } from '../delivery/delivery.module';
import { LogModule } from '../log/log.module';
import { MembershipModule } from '../membership/membership.module';
import { RealtimeModule } from '../realtime/realtime.module';
import { SessionsModule } from '../sessions/sessions.module';
import { Attachments } from './attachments';
import { ConversationChangesStore } from './conversation-changes.store';
import { DeletionService } from './deletion.service';
import { EditingService } from './editing.service';
import { Following } from './following';
import { GroupReceipts } from './group-receipts';
import { MessageLists } from './message-lists';
import { MessageWriter } from './message-writer';
import { MessagesController } from './messages.controller';
import { MessageQueue } from './message-queue';
import { MessagesService } from './messages.service';
import { MessageListsStore } from './message-lists.store';
import { MessageRevisionsStore } from './message-revisions.store';
import { Typing } from './typing';

/** Messages: stored in order, delivered to members, read, acknowledged and deleted. */
@Module({
  imports: [DeliveryModule, LogModule, MembershipModule, RealtimeModule, SessionsModule],
  controllers: [MessagesController],
  providers: [
    Attachments,
    ConversationChangesStore,
    DeletionService,
    EditingService,
    Following,
    GroupReceipts,
    MessageLists,
    MessageQueue,
    MessageWriter,
    MessagesService,
    MessageListsStore,
    MessageRevisionsStore,
    Typing,
  ],
  exports: [Attachments, Following, MessagesService],
})
export class MessagesModule {}
