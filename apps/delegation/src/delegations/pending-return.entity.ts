import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** What an account no longer delegates, and the chain has not given back yet. */
@Entity('pending_return')
@Index('pending_return_of', ['delegator', 'id'])
export class PendingReturnEntity {
  /** That of the change that caused it; where it was taken from a node, the node's own, which is smaller than any of ours. */
  @PrimaryColumn('bigint')
  id!: string;

  @Column({ type: 'text', collation: 'C' })
  delegator!: string;

  /** Millionths of VESTS. */
  @Column('bigint')
  amount!: string;

  /** The chain gives it back with the first block after this time. */
  @Column('timestamptz')
  returns!: Date;
}
