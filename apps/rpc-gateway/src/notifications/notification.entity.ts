import { columnTypes } from '@waggle/service';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A notification. Its type and time are part of the id: see `notification-id.ts`. */
@Entity('notification')
@Index('notification_recipient', { synchronize: false })
@Index('notification_subject', { synchronize: false })
export class NotificationEntity {
  @PrimaryColumn('bigint') id!: bigint;

  /** The post that it links to. */
  @Column('bigint', { nullable: true }) postId!: bigint | null;

  /** The post that it is about: for a reply, its parent. */
  @Column('bigint', { nullable: true }) subjectId!: bigint | null;
  @Column('int') recipientId!: number;

  /** The account that caused it; null if the chain did. */
  @Column('int', { nullable: true }) sourceId!: number | null;
  @Column('int', { nullable: true }) communityId!: number | null;

  /** Relevance, from 1 to 100. */
  @Column('smallint') score!: number;

  /** A part of the message that depends on the type, such as a role. */
  @Column('text', { nullable: true }) payload!: string | null;
}

export const notificationTable = columnTypes(NotificationEntity);
