import { Module } from '@nestjs/common';
import { DeliveryModule } from '../delivery/delivery.module';
import { ConversationChanges } from './conversation-changes';
import { MembershipService } from './membership.service';

/** What members do to a conversation by their role: add, remove, appoint, rename, leave. */
@Module({
  imports: [DeliveryModule],
  providers: [ConversationChanges, MembershipService],
  exports: [ConversationChanges],
})
export class MembershipModule {}
