import { columnTypes } from '@waggle/service';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** That an account has reacted to a message with an emoji. Such rows live as long as messages. */
@Entity('reaction')
@Index('reaction_at', ['at'])
export class ReactionEntity {
  @PrimaryColumn('text') conversationId!: string;

  /** The sequence number of the message. */
  @PrimaryColumn('bigint') seq!: bigint;
  @PrimaryColumn('text') emoji!: string;
  @PrimaryColumn('text') account!: string;
  @Column({ type: 'timestamptz', precision: 3 }) at!: Date;
}

export const reactionTable = columnTypes(ReactionEntity);
