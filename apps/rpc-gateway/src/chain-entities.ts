import { type EntityClass } from '@waggle/service';
import { AccountEntity } from './accounts/account.entity';
import { CommunityAuthorEntity } from './communities/community-author.entity';
import { CommunityRoleEntity } from './communities/community-role.entity';
import { CommunityEntity } from './communities/community.entity';
import { FlagEntity } from './communities/flag.entity';
import { SubscriptionEntity } from './communities/subscription.entity';
import { FollowEntity } from './follows/follow.entity';
import { MentionEntity } from './notifications/mention.entity';
import { NotificationEntity } from './notifications/notification.entity';
import { PayoutEntity } from './posts/payout.entity';
import { PostContentEntity } from './posts/post-content.entity';
import { PostTagEntity } from './posts/post-tag.entity';
import { PostTextEntity } from './posts/post-text.entity';
import { PostEntity } from './posts/post.entity';
import { BlogEntryEntity } from './reblogs/blog-entry.entity';
import { VoteEntity } from './votes/vote.entity';

/**
 * Entities whose rows are derived from the chain alone. Snapshots contain their tables in this order, so changing it
 * changes the format.
 */
export const chainEntities: readonly EntityClass<object>[] = [
  AccountEntity,
  PostEntity,
  PostContentEntity,
  PostTagEntity,
  PostTextEntity,
  PayoutEntity,
  VoteEntity,
  BlogEntryEntity,
  FollowEntity,
  CommunityEntity,
  CommunityRoleEntity,
  CommunityAuthorEntity,
  SubscriptionEntity,
  FlagEntity,
  NotificationEntity,
  MentionEntity,
];
