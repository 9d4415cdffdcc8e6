import { columnTypes } from '@waggle/service';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The votes, payout and options of a post. Separate from the row of the post, because every vote updates it. Payouts
 * are thousandths of HBD.
 */
@Entity('payout')
export class PayoutEntity {
  @PrimaryColumn('bigint') postId!: bigint;

  /** Of the last payout, when authors, curators and beneficiaries got their shares. */
  @Column('bigint') authorPayout!: bigint;
  @Column('bigint') curatorPayout!: bigint;
  @Column('bigint') beneficiaryPayout!: bigint;

  /** The payout to expect with the votes so far. */
  @Column('bigint') pendingPayout!: bigint;

  /** Rewards of the author from all payouts, in thousandths of HIVE. */
  @Column('bigint') authorRewards!: bigint;

  /** The sum of the votes, and of their absolute values. */
  @Column('bigint') rshares!: bigint;
  @Column('bigint') absoluteRshares!: bigint;

  /** Transferred to the account `null` with the link of the post as the memo, in thousandths of HBD. */
  @Column('bigint') promoted!: bigint;
  @Column('bigint') maxAcceptedPayout!: bigint;

  /** The time of the last payout; null before the first. */
  @Column('timestamptz', { nullable: true }) paidAt!: Date | null;

  /** Counted votes, including those without effect on the payout. */
  @Column('int') totalVotes!: number;

  /** Upvotes minus downvotes. */
  @Column('int') netVotes!: number;

  /** The part of the payout in HBD instead of vested HIVE: 10,000 means half in HBD, 0 none. */
  @Column('smallint') percentHbd!: number;
  @Column('boolean') isPaid!: boolean;
  @Column('boolean') allowsVotes!: boolean;
  @Column('boolean') allowsCurationRewards!: boolean;

  /** Unsigned on the chain, beyond `bigint`. */
  @Column('numeric') totalVoteWeight!: bigint;

  /** JSON: `[{"account": …, "weight": …}]`; null if there are none. */
  @Column('text', { nullable: true }) beneficiaries!: string | null;
}

export const payoutTable = columnTypes(PayoutEntity);
