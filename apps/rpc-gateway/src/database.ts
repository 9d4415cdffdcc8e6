import { databaseOptions, migrate as migrateBy, type DatabaseSettings } from '@waggle/service';
import { type DataSourceOptions } from 'typeorm';
import { AccountEntity } from './accounts/account.entity';
import { CommunityAuthorEntity } from './communities/community-author.entity';
import { CommunityRoleEntity } from './communities/community-role.entity';
import { CommunityEntity } from './communities/community.entity';
import { FlagEntity } from './communities/flag.entity';
import { SubscriptionEntity } from './communities/subscription.entity';
import { IndexDigestEntity } from './digests/index-digest.entity';
import { FollowEntity } from './follows/follow.entity';
import { IndexStateEntity } from './index-state/index-state.entity';
import { CreateRpcGateway1795400000000 } from './migrations/1795400000000-create-rpc-gateway';
import { MentionEntity } from './notifications/mention.entity';
import { NotificationEntity } from './notifications/notification.entity';
import { PostTextEntity } from './posts/post-text.entity';
import { PostEntity } from './posts/post.entity';
import { YoungPostEntity } from './posts/young-post.entity';
import { ReblogEntity } from './reblogs/reblog.entity';
import { SnapshotRequestEntity } from './snapshot/snapshot-request.entity';
import { VoteEntity } from './votes/vote.entity';

/** The database of both roles. */
export function gatewayDatabase(settings: DatabaseSettings): DataSourceOptions {
  return databaseOptions(settings, {
    service: 'rpc-gateway',
    entities: [
      IndexStateEntity,
      AccountEntity,
      PostEntity,
      YoungPostEntity,
      PostTextEntity,
      VoteEntity,
      FollowEntity,
      ReblogEntity,
      CommunityEntity,
      CommunityRoleEntity,
      CommunityAuthorEntity,
      SubscriptionEntity,
      FlagEntity,
      NotificationEntity,
      MentionEntity,
      SnapshotRequestEntity,
      IndexDigestEntity,
    ],
    migrations: [CreateRpcGateway1795400000000],
  });
}

/** Runs the pending migrations. @returns their names */
export function migrate(url: string): Promise<string[]> {
  return migrateBy(gatewayDatabase({ url, poolSize: 2, isMigration: true }));
}
