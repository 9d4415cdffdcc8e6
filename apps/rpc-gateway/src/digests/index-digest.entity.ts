import { columnTypes } from '@waggle/service';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The digest of the index as of a block. */
@Entity('index_digest')
export class IndexDigestEntity {
  @PrimaryColumn('int') blockNumber!: number;
  @Column('timestamptz') computedAt!: Date;

  /** The JSON that `GET /index/digest` returns. */
  @Column('text') document!: string;
}

export const indexDigestTable = columnTypes(IndexDigestEntity);
