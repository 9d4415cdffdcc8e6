import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An account mentioned in a post, and the id of its notification, which does not exist if, for example, it has muted the author. */
@Entity('mention')
@Index('mention_notification', ['notificationId'])
export class MentionEntity {
  @PrimaryColumn('bigint', { name: 'post_id' })
  postId!: bigint;

  @PrimaryColumn('int', { name: 'account_id' })
  accountId!: number;

  @Column('bigint', { name: 'notification_id' })
  notificationId!: bigint;
}
