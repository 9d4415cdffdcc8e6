import { databaseOptions, migrate as runMigrations, type DatabaseSettings } from '@waggle/service';
import { type DataSourceOptions } from 'typeorm';
import { DraftEntity } from './drafts/draft.entity';
import { AccountStreamEntity } from './log/account-stream.entity';
import { CommitLogEntity } from './log/commit-log.entity';
import { ConversationChangeEntity } from './log/conversation-change.entity';
import { ConversationEntity } from './log/conversation.entity';
import { PinEntity } from './log/pin.entity';
import { EventEntity } from './log/event.entity';
import { MemberEntity } from './log/member.entity';
import { MentionEntity } from './log/mention.entity';
import { MessageEntity } from './log/message.entity';
import { MessageRevisionEntity } from './log/message-revision.entity';
import { ReactionEntity } from './log/reaction.entity';
import { CreateChat1795400000000 } from './migrations/1795400000000-create-chat';
import { CreateConversationChange1796000000000 } from './migrations/1796000000000-create-conversation-change';
import { EditAndReply1796100000000 } from './migrations/1796100000000-edit-and-reply';
import { CreateReaction1796200000000 } from './migrations/1796200000000-create-reaction';
import { ConversationPreferences1796400000000 } from './migrations/1796400000000-conversation-preferences';
import { CreatePin1796450000000 } from './migrations/1796450000000-create-pin';
import { CreateSearch1796500000000 } from './migrations/1796500000000-create-search';
import { AddAttachments1796600000000 } from './migrations/1796600000000-add-attachments';
import { IndexSentFriendRequests1796710000000 } from './migrations/1796710000000-index-sent-friend-requests';
import { CreateDraft1796720000000 } from './migrations/1796720000000-create-draft';
import { CreateErasure1796730000000 } from './migrations/1796730000000-create-erasure';
import { IndexMentionsByTime1796740000000 } from './migrations/1796740000000-index-mentions-by-time';
import { CreateMention1796300000000 } from './migrations/1796300000000-create-mention';
import { BlockEntity } from './relations/block.entity';
import { FriendRequestEntity } from './relations/friend-request.entity';
import { FriendshipEntity } from './relations/friendship.entity';
import { SearchBlockEntity } from './search/search-block.entity';
import { SearchEditEntity } from './search/search-edit.entity';
import { SearchProgressEntity } from './search/search-progress.entity';
import { ErasureEntity } from './sessions/erasure.entity';
import { SessionEntity } from './sessions/session.entity';
import { SettingEntity } from './settings/setting.entity';

/** The chat's database. */
export function chatDatabase(settings: DatabaseSettings): DataSourceOptions {
  return databaseOptions(settings, {
    service: 'chat',
    entities: [
      SessionEntity,
      ErasureEntity,
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
      PinEntity,
      MentionEntity,
      DraftEntity,
      EventEntity,
      AccountStreamEntity,
      CommitLogEntity,
      SearchBlockEntity,
      SearchEditEntity,
      SearchProgressEntity,
    ],
    migrations: [
      CreateChat1795400000000,
      CreateConversationChange1796000000000,
      EditAndReply1796100000000,
      CreateReaction1796200000000,
      ConversationPreferences1796400000000,
      CreatePin1796450000000,
      CreateSearch1796500000000,
      AddAttachments1796600000000,
      CreateMention1796300000000,
      IndexSentFriendRequests1796710000000,
      CreateDraft1796720000000,
      CreateErasure1796730000000,
      IndexMentionsByTime1796740000000,
    ],
  });
}

/** Brings the schema up to date. @returns the names of the migrations that were run */
export function migrate(url: string): Promise<string[]> {
  return runMigrations(chatDatabase({ url, poolSize: 2, isMigration: true }));
}
