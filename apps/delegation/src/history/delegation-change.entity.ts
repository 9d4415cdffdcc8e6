import { columnTypes } from '@waggle/service';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A change of a delegation, as a block made it. */
@Entity('delegation_change')
@Index('delegation_change_in', ['delegatee', 'id'])
@Index('delegation_change_out', ['delegator', 'id'])
@Index('delegation_change_of', { synchronize: false })
export class DelegationChangeEntity {
  /** Derived from the block number and the position among its changes: see `changeId`. */
  @PrimaryColumn('bigint') id!: bigint;
  @Column('bigint') delegationId!: bigint;
  @Column({ type: 'text', collation: 'C' }) delegator!: string;
  @Column({ type: 'text', collation: 'C' }) delegatee!: string;

  /** The new amount in millionths of VESTS; 0 if the delegation was removed. */
  @Column('bigint') amount!: bigint;

  /** The time of the block. */
  @Column('timestamptz') created!: Date;
}

export const delegationChangeTable = columnTypes(DelegationChangeEntity);
