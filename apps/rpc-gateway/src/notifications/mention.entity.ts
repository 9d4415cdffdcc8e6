import { columnTypes } from '@waggle/service';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * An account that a post mentions, and the id of its notification. The notification does not exist if, for example, the
 * account muted the author.
 */
@Entity('mention')
@Index('mention_notification', ['notificationId'])
export class MentionEntity {
  @PrimaryColumn('bigint') postId!: bigint;
  @PrimaryColumn('int') accountId!: number;
  @Column('bigint') notificationId!: bigint;
}

export const mentionTable = columnTypes(MentionEntity);
