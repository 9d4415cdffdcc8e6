import { columnTypes } from '@waggle/service';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** What an account has written in a conversation, but not sent. It is removed when the account leaves. */
@Entity('draft')
@Index('draft_updated_at', ['updatedAt'])
export class DraftEntity {
  @PrimaryColumn('text') account!: string;
  @PrimaryColumn('text') conversationId!: string;

  /** Not empty. */
  @Column('text') text!: string;

  /** The message that it replies to. */
  @Column('bigint', { nullable: true }) replyToSeq!: bigint | null;
  @Column({ type: 'timestamptz', precision: 3 }) updatedAt!: Date;
}

export const draftTable = columnTypes(DraftEntity);
