import { Module, type DynamicModule } from '@nestjs/common';
import { type Platform, PlatformModule } from '@waggle/service';
import { SignatureLoginModule } from '@waggle/service/login';
import { type ClientBase } from 'pg';
import { Accounts } from './accounts';
import { AccountsController } from './accounts.controller';
import { type ChatConfig } from './config';
import { ConversationsModule } from './conversations/conversations.module';
import { chatDatabase } from './database';
import { ErasureModule } from './erasure/erasure.module';
import { ExportModule } from './export/export.module';
import { AdoptedTimeline } from './log/adopted-timeline';
import { CONVERSATION_SETTINGS } from './membership/conversation-settings';
import { DraftsModule } from './drafts/drafts.module';
import { MembershipModule } from './membership/membership.module';
import { MESSAGES_SETTINGS } from './messages/messages-settings';
import { MessagesModule } from './messages/messages.module';
import { PinsModule } from './pins/pins.module';
import { PresenceModule } from './presence/presence.module';
import { ReactionsModule } from './reactions/reactions.module';
import { FrameLimits } from './realtime/frame-limits';
import { REALTIME_SETTINGS } from './realtime/realtime-settings';
import { RealtimeModule } from './realtime/realtime.module';
import { RelationsModule } from './relations/relations.module';
import { RetentionModule } from './retention/retention.module';
import { SEARCH_SETTINGS } from './search/search-settings';
import { SearchModule } from './search/search.module';
import { loginRoles } from './sessions/login.service';
import { SESSION_SETTINGS } from './sessions/session-settings';
import { SessionsModule } from './sessions/sessions.module';
import { SettingsModule } from './settings/settings.module';

/** Composes the chat from one module per feature. */
@Module({})
export class AppModule {
  static forRoot(config: ChatConfig, platform: Platform): DynamicModule {
    const timeline = new AdoptedTimeline();
    return {
      module: AppModule,
      controllers: [AccountsController],
      imports: [
        PlatformModule.forRoot(platform, {
          database: chatDatabase({ ...config.database, verify: (client: ClientBase) => timeline.verify(client) }),
          shared: [
            { provide: SESSION_SETTINGS, useValue: config },
            { provide: REALTIME_SETTINGS, useValue: config },
            { provide: CONVERSATION_SETTINGS, useValue: config },
            { provide: MESSAGES_SETTINGS, useValue: config.messages },
            { provide: SEARCH_SETTINGS, useValue: config.search },
            { provide: AdoptedTimeline, useValue: timeline },
            { provide: FrameLimits, useValue: new FrameLimits(config.accountLimits.frames) },
            { provide: Accounts, useClass: Accounts },
          ],
        }),
        SignatureLoginModule.forRoot(config, {
          roles: loginRoles,
          keyChecksCounter: 'chat_key_checks_total',
          sharedState: 'used proofs, rate limits and events',
        }),
        RealtimeModule,
        SessionsModule,
        MessagesModule,
        ReactionsModule,
        PinsModule,
        DraftsModule,
        SearchModule,
        ConversationsModule,
        MembershipModule,
        RelationsModule,
        SettingsModule,
        PresenceModule,
        ExportModule,
        ErasureModule,
        RetentionModule.forRoot(config.retention),
      ],
    };
  }
}
