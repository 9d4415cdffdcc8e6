import { columnTypes } from '@waggle/service';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * Who changed what in a group or channel. Its history shows these changes between the messages, so they live as long as
 * messages, unlike the entries of `event`.
 */
@Entity('conversation_change')
@Index('conversation_change_at', ['at'])
export class ConversationChangeEntity {
  @PrimaryColumn('text') conversationId!: string;
  @PrimaryColumn('bigint') seq!: bigint;
  @Column({ type: 'timestamptz', precision: 3 }) at!: Date;

  /** A `type` of `conversationChange` in the contract. */
  @Column('text') type!: string;

  /** The account that made the change. */
  @Column('text') by!: string;

  /** The account that was added, removed, appointed or dismissed, or that left; null for a new name. */
  @Column('text', { nullable: true }) username!: string | null;

  /** The new name of the conversation; null for other changes. */
  @Column('text', { nullable: true }) name!: string | null;
}

export const conversationChangeTable = columnTypes(ConversationChangeEntity);
