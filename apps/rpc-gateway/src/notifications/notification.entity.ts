import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** What an account is told of. Type and time are in the id: see `notification-id.ts`. */
@Entity('notification')
@Index('notification_recipient', { synchronize: false })
@Index('notification_subject', { synchronize: false })
export class NotificationEntity {
  @PrimaryColumn('bigint')
  id!: bigint;

  /** The post that it leads to. */
  @Column('bigint', { name: 'post_id', nullable: true })
  postId!: bigint | null;

  /** The post that it is about: of a reply the one that was replied to. */
  @Column('bigint', { name: 'subject_id', nullable: true })
  subjectId!: bigint | null;

  @Column('int', { name: 'recipient_id' })
  recipientId!: number;

  /** Who did it; null where the chain itself did. */
  @Column('int', { name: 'source_id', nullable: true })
  sourceId!: number | null;

  @Column('int', { name: 'community_id', nullable: true })
  communityId!: number | null;

  /** How much it may interest, from 0 to 100. */
  @Column('smallint')
  score!: number;

  /** What the message says besides, such as a role; which, depends on the type. */
  @Column('text', { nullable: true })
  payload!: string | null;
}
