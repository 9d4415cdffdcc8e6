import { columnTypes } from '@waggle/service';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * Who a message mentions: accounts that its text names, and the sender of the message that it replies to, but neither
 * its own sender nor accounts that block the sender. Removed together with the message.
 */
@Entity('mention')
@Index('mention_at', ['account', 'conversationId', 'at', 'seq'])
@Index('mention_message', ['conversationId', 'messageSeq'])
export class MentionEntity {
  /** An account, or `everybody` for all members. */
  @PrimaryColumn('text') account!: string;
  @PrimaryColumn('text') conversationId!: string;

  /**
   * The sequence number of the entry that made the mention: the message, or an edit. The mention is unread until the
   * account has read this entry.
   */
  @PrimaryColumn('bigint') seq!: bigint;

  /** The sequence number of the message. */
  @Column('bigint') messageSeq!: bigint;
  @Column('text') sender!: string;

  /** When the message was sent or edited. It may precede the time of an earlier entry, since clocks differ. */
  @Column({ type: 'timestamptz', precision: 3 }) at!: Date;
}

export const mentionTable = columnTypes(MentionEntity);

/** Stands for all members in `mention`. No account name. */
export const everybody = '*';
