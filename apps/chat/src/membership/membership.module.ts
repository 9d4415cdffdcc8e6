import { Module } from '@nestjs/common';
import { DeliveryModule } from '../delivery/delivery.module';
import { ConversationTransactions } from './conversation-transactions';
import { MembershipService } from './membership.service';

/** What members do to a conversation by their role: add, remove, appoint, rename, leave. */
@Module({
  imports: [DeliveryModule],
  providers: [ConversationTransactions, MembershipService],
  exports: [ConversationTransactions],
})
export class MembershipModule {}
