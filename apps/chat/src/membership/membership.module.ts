import { Module } from '@nestjs/common';
import { DeliveryModule } from '../delivery/delivery.module';
import { MessagesModule } from '../messages/messages.module';
import { ConversationChanges } from './conversation-changes';
import { DeletionService } from './deletion.service';
import { MembershipService } from './membership.service';

/** What members do to a conversation by their role: add, remove, appoint, rename, delete, leave. */
@Module({
  imports: [DeliveryModule, MessagesModule],
  providers: [ConversationChanges, DeletionService, MembershipService],
})
export class MembershipModule {}
