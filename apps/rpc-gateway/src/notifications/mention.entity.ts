import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Who is named in a post, and by which notification they were told; that may not be there, as where they have muted the author. */
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
