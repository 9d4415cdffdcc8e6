import { Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OperationsModule, type Readiness, type Registry } from '@waggle/service';
import { type ClientBase } from 'pg';
import { ConversationsModule } from './conversations/conversations.module';
import { chatDatabase } from './database';
import { MembershipModule } from './membership/membership.module';
import { MessagesModule } from './messages/messages.module';
import { PlatformModule, type Platform } from './platform.module';
import { PresenceModule } from './presence/presence.module';
import { RealtimeModule } from './realtime/realtime.module';
import { RelationsModule } from './relations/relations.module';
import { RetentionModule } from './retention/retention.module';
import { SessionsModule } from './sessions/sessions.module';
import { SettingsModule } from './settings/settings.module';

/** The whole composition of the chat. */
@Module({})
export class AppModule {
  static forRoot(platform: Platform, operations: { readiness: Readiness; metrics: Registry }): DynamicModule {
    const { config, timeline } = platform;
    const settings = { ...config.database, verify: (client: ClientBase) => timeline.verify(client) };
    return {
      module: AppModule,
      imports: [
        OperationsModule.forRoot(operations),
        TypeOrmModule.forRoot({ ...chatDatabase(settings), retryAttempts: 5, retryDelay: 1_000 }),
        PlatformModule.forRoot(platform),
        RealtimeModule,
        SessionsModule,
        MessagesModule,
        ConversationsModule,
        MembershipModule,
        RelationsModule,
        SettingsModule,
        PresenceModule,
        RetentionModule,
      ],
    };
  }
}
