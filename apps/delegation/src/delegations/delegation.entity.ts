import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * What one account delegates to another. The row stays when the delegation is removed: its id is the pair's for good, and
 * its earlier states are asked for as of earlier blocks. Amounts are millionths of VESTS.
 */
@Entity('delegation')
@Index('delegation_pair', ['delegator', 'delegatee'], { unique: true })
@Index('delegation_in', ['delegatee', 'id'], { where: 'amount > 0' })
@Index('delegation_out', ['delegator', 'id'], { where: 'amount > 0' })
@Index('delegation_ever_in', ['delegatee', 'id'])
@Index('delegation_ever_out', ['delegator', 'id'])
export class DelegationEntity {
  /** 1, 2, 3, … in the order in which the indexer met the pairs. */
  @PrimaryColumn('bigint')
  id!: string;

  @Column({ type: 'text', collation: 'C' })
  delegator!: string;

  @Column({ type: 'text', collation: 'C' })
  delegatee!: string;

  /** 0 where it is removed. */
  @Column('bigint')
  amount!: string;

  /** What a node said when the index began; null where it named no such delegation. */
  @Column('bigint', { name: 'loaded_amount', nullable: true })
  loadedAmount!: string | null;

  /** What is taken out of the delegation is not given back before; null where the usual time is all that counts. */
  @Column('timestamptz', { name: 'earliest_return', nullable: true })
  earliestReturn!: Date | null;
}
