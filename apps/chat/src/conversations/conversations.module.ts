import { Module } from '@nestjs/common';
import { MessagesModule } from '../messages/messages.module';
import { RealtimeModule } from '../realtime/realtime.module';
import { SessionsModule } from '../sessions/sessions.module';
import { Accounts } from './accounts';
import { ConversationCreator } from './conversation-creator';
import { ConversationsController } from './conversations.controller';
import { ConversationsFrames } from './conversations.frames';
import { ConversationsService } from './conversations.service';
import { ConversationsStore } from './conversations.store';

/** Who talks with whom: direct conversations and groups. */
@Module({
  imports: [MessagesModule, RealtimeModule, SessionsModule],
  controllers: [ConversationsController],
  providers: [Accounts, ConversationCreator, ConversationsFrames, ConversationsService, ConversationsStore],
})
export class ConversationsModule {}
