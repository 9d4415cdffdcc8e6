import { Module } from '@nestjs/common';
import { DeliveryModule } from '../delivery/delivery.module';
import { ConversationTransactions } from './conversation-transactions';
import { MembershipService } from './membership.service';

/** Changes of the members, roles and name of a conversation. */
@Module({
  imports: [DeliveryModule],
  providers: [ConversationTransactions, MembershipService],
  exports: [ConversationTransactions],
})
export class MembershipModule {}
