import { Module } from '@nestjs/common';
import { DeliveryModule } from '../delivery/delivery.module';
import { MessagesModule } from '../messages/messages.module';
import { RealtimeModule } from '../realtime/realtime.module';
import { ConversationChanges } from './conversation-changes';
import { DeletionService } from './deletion.service';
import { MembershipFrames } from './membership.frames';
import { MembershipService } from './membership.service';

/** What members do to a conversation by their role: add, remove, appoint, rename, delete, leave. */
@Module({
  imports: [DeliveryModule, MessagesModule, RealtimeModule],
  providers: [ConversationChanges, DeletionService, MembershipFrames, MembershipService],
})
export class MembershipModule {}
