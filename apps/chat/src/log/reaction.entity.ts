import { columnTypes } from '@waggle/service';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A reaction of one account to one message with one emoji. It is removed together with the message. */
@Entity('reaction')
export class ReactionEntity {
  @PrimaryColumn('text') conversationId!: string;

  /** The sequence number of the message. */
  @PrimaryColumn('bigint') seq!: bigint;
  @PrimaryColumn('text') emoji!: string;
  @PrimaryColumn('text') account!: string;
  @Column({ type: 'timestamptz', precision: 3 }) at!: Date;
}

export const reactionTable = columnTypes(ReactionEntity);
