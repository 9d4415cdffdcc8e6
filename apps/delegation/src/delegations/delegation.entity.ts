import { columnTypes } from '@waggle/service';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A delegation from one account to another. The row stays when the delegation is removed: the id belongs to the pair
 * permanently, and queries as of earlier blocks need it. Amounts are millionths of VESTS.
 */
@Entity('delegation')
@Index('delegation_pair', ['delegator', 'delegatee'], { unique: true })
@Index('delegation_in', ['delegatee', 'id'], { where: 'amount > 0' })
@Index('delegation_out', ['delegator', 'id'], { where: 'amount > 0' })
@Index('delegation_ever_in', ['delegatee', 'id'])
@Index('delegation_ever_out', ['delegator', 'id'])
export class DelegationEntity {
  /** 1, 2, 3, … in the order that the indexer met the pairs. */
  @PrimaryColumn('bigint') id!: bigint;
  @Column({ type: 'text', collation: 'C' }) delegator!: string;
  @Column({ type: 'text', collation: 'C' }) delegatee!: string;

  /** 0 if it is removed. */
  @Column('bigint') amount!: bigint;

  /** The amount that was loaded from a node when the index began; null if there was none. */
  @Column('bigint', { nullable: true }) loadedAmount!: bigint | null;

  /** Earliest time that removed VESTS return; null if only the usual delay applies. */
  @Column('timestamptz', { nullable: true }) earliestReturn!: Date | null;
}

export const delegationTable = columnTypes(DelegationEntity);
