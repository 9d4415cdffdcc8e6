import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The digest of the index as of a block. */
@Entity('index_digest')
export class IndexDigestEntity {
  @PrimaryColumn('int', { name: 'block_number' })
  blockNumber!: number;

  @Column('timestamptz', { name: 'computed_at' })
  computedAt!: Date;

  /** The JSON that `GET /index/digest` returns. */
  @Column('text')
  document!: string;
}
