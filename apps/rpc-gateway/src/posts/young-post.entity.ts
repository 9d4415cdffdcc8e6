import { columnTypes } from '@waggle/service';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * The payout and votes of a post, until it is paid and votes on it no longer create notifications. Separate from the
 * row of the post, because every vote updates it. Payouts are thousandths of HBD.
 */
@Entity('young_post')
@Index('young_post_created', ['created'])
export class YoungPostEntity {
  @PrimaryColumn('bigint') postId!: bigint;
  @Column('int') authorId!: number;
  @Column('int', { nullable: true }) communityId!: number | null;
  @Column('timestamptz') created!: Date;
  @Column('boolean') isPaid!: boolean;

  /** Paid so far. */
  @Column('bigint') payout!: bigint;

  /** The payout to expect with the votes so far. */
  @Column('bigint') pendingPayout!: bigint;

  /** The sum of the votes, and of their absolute values. */
  @Column('bigint') rshares!: bigint;
  @Column('bigint') absoluteRshares!: bigint;
}

export const youngPostTable = columnTypes(YoungPostEntity);
