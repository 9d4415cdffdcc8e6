import { columnTypes } from '@waggle/service';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** VESTS that an account no longer delegates and does not have back yet. */
@Entity('pending_return')
@Index('pending_return_of', ['delegator', 'id'])
export class PendingReturnEntity {
  /** The id of the change that caused it; if it was loaded, the node's id, which is smaller than any change id. */
  @PrimaryColumn('bigint') id!: bigint;
  @Column({ type: 'text', collation: 'C' }) delegator!: string;

  /** Millionths of VESTS. */
  @Column('bigint') amount!: bigint;

  /** The chain gives it back with the first block after this time. */
  @Column('timestamptz') returns!: Date;
}

export const pendingReturnTable = columnTypes(PendingReturnEntity);
