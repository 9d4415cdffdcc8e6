import { Module } from '@nestjs/common';
import { DirectConversations } from '../messages/direct-conversations';
import { MessagesModule } from '../messages/messages.module';
import { RealtimeModule } from '../realtime/realtime.module';
import { SessionsModule } from '../sessions/sessions.module';
import { DeliveryModule } from '../delivery/delivery.module';
import { LogModule } from '../log/log.module';
import { ChannelsController } from './channels.controller';
import { ConversationCreation } from './conversation-creation';
import { ConversationLists } from './conversation-lists';
import { ConversationsController } from './conversations.controller';
import { ConversationsService } from './conversations.service';
import { ConversationsStore } from './conversations.store';
import { NewConversationsStore } from './new-conversations.store';

/**
 * Creates and lists dms, groups and channels. Messages that are addressed to an account instead of a conversation are
 * sent here.
 */
@Module({
  imports: [MessagesModule, RealtimeModule, SessionsModule, DeliveryModule, LogModule],
  controllers: [ChannelsController, ConversationsController],
  providers: [
    ConversationCreation,
    ConversationLists,
    ConversationsService,
    ConversationsStore,
    NewConversationsStore,
    // For the frames of `MessagesModule`, which cannot import this module.
    { provide: DirectConversations, useExisting: ConversationsService },
  ],
})
export class ConversationsModule {}
