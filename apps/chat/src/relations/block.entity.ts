import { columnTypes } from '@waggle/service';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An account that blocks another. */
@Entity('block')
@Index('block_blocker', ['blocker', 'createdAt', 'blocked'])
export class BlockEntity {
  @PrimaryColumn('text') blocker!: string;
  @PrimaryColumn({ type: 'text', collation: 'C' }) blocked!: string;
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' }) createdAt!: Date;
}

export const blockTable = columnTypes(BlockEntity);
