import { type EntityClass, entityColumns, tableName } from '@waggle/service';
import { AccountEntity } from '../accounts/account.entity';
import { CommunityAuthorEntity } from '../communities/community-author.entity';
import { CommunityRoleEntity } from '../communities/community-role.entity';
import { CommunityEntity } from '../communities/community.entity';
import { FlagEntity } from '../communities/flag.entity';
import { SubscriptionEntity } from '../communities/subscription.entity';
import { FollowEntity } from '../follows/follow.entity';
import { MentionEntity } from '../notifications/mention.entity';
import { NotificationEntity } from '../notifications/notification.entity';
import { PostTextEntity } from '../posts/post-text.entity';
import { PostEntity } from '../posts/post.entity';
import { YoungPostEntity } from '../posts/young-post.entity';
import { ReblogEntity } from '../reblogs/reblog.entity';
import { VoteEntity } from '../votes/vote.entity';

/** A table of the index, as a snapshot contains it. */
export interface SnapshotTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** Copies the rows in the order of the primary key, which consists of numbers. */
  readonly copyTo: string;
  /**
   * Needs a table that was emptied in the same transaction: its rows are then written frozen, and need no vacuum later.
   */
  readonly copyFrom: string;
}

/** The entities whose rows follow from the chain. The order is part of the format of snapshots. */
export const chainEntities: readonly EntityClass<object>[] = [
  AccountEntity,
  PostEntity,
  YoungPostEntity,
  PostTextEntity,
  VoteEntity,
  ReblogEntity,
  FollowEntity,
  CommunityEntity,
  CommunityRoleEntity,
  CommunityAuthorEntity,
  SubscriptionEntity,
  FlagEntity,
  NotificationEntity,
  MentionEntity,
];

export const snapshotTables: readonly SnapshotTable[] = chainEntities.map(tableOf);

function tableOf(entity: EntityClass<object>): SnapshotTable {
  const name = tableName(entity);
  const all = entityColumns(entity);
  const columns = all.map((column) => column.name);
  const key = all.filter(({ isKey }) => isKey).map((column) => column.name);
  return {
    name,
    columns,
    copyTo: `COPY (SELECT ${columns.join(', ')} FROM ${name} ORDER BY ${key.join(', ')}) TO STDOUT`,
    copyFrom: `COPY ${name} (${columns.join(', ')}) FROM STDIN WITH (FREEZE)`,
  };
}
