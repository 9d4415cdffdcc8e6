import { databaseOptions, migrate as runMigrations, type DatabaseSettings } from '@waggle/service';
import { type DataSourceOptions } from 'typeorm';
import { AccountStreamEntity } from './log/account-stream.entity';
import { CommitLogEntity } from './log/commit-log.entity';
import { ConversationChangeEntity } from './log/conversation-change.entity';
import { ConversationEntity } from './log/conversation.entity';
import { EventEntity } from './log/event.entity';
import { MemberEntity } from './log/member.entity';
import { MessageEntity } from './log/message.entity';
import { MessageRevisionEntity } from './log/message-revision.entity';
import { ReactionEntity } from './log/reaction.entity';
import { CreateChat1795400000000 } from './migrations/1795400000000-create-chat';
import { CreateConversationChange1796000000000 } from './migrations/1796000000000-create-conversation-change';
import { EditAndReply1796100000000 } from './migrations/1796100000000-edit-and-reply';
import { CreateReaction1796200000000 } from './migrations/1796200000000-create-reaction';
import { BlockEntity } from './relations/block.entity';
import { FriendRequestEntity } from './relations/friend-request.entity';
import { FriendshipEntity } from './relations/friendship.entity';
import { SessionEntity } from './sessions/session.entity';
import { SettingEntity } from './settings/setting.entity';

/** The chat's database. */
export function chatDatabase(settings: DatabaseSettings): DataSourceOptions {
  return databaseOptions(settings, {
    service: 'chat',
    entities: [
      SessionEntity,
      FriendshipEntity,
      FriendRequestEntity,
      BlockEntity,
      SettingEntity,
      ConversationEntity,
      ConversationChangeEntity,
      MemberEntity,
      MessageEntity,
      MessageRevisionEntity,
      ReactionEntity,
      EventEntity,
      AccountStreamEntity,
      CommitLogEntity,
    ],
    migrations: [
      CreateChat1795400000000,
      CreateConversationChange1796000000000,
      EditAndReply1796100000000,
      CreateReaction1796200000000,
    ],
  });
}

/** Brings the schema up to date. @returns the names of the migrations that were run */
export function migrate(url: string): Promise<string[]> {
  return runMigrations(chatDatabase({ url, poolSize: 2, isMigration: true }));
}
