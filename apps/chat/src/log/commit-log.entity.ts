import { columnTypes } from '@waggle/service';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * One row per commit, deleted after minutes: instances find the commits whose bus message they missed. The table has
 * no primary key; TypeORM requires one.
 */
@Entity('commit_log')
@Index('commit_log_at', ['at'])
export class CommitLogEntity {
  @PrimaryColumn({ type: 'timestamptz', precision: 3 }) at!: Date;
  @Column('text', { array: true }) streams!: readonly string[];
  @Column('bigint', { array: true }) seqs!: readonly bigint[];
}

export const commitLogTable = columnTypes(CommitLogEntity);
