import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The state of the index, in one row. */
@Entity('index_state')
export class IndexStateEntity {
  @PrimaryColumn({ type: 'boolean', default: true })
  single!: boolean;

  /** The time of the block before the first one. Accounts created earlier are looked up on nodes. */
  @Column('timestamptz')
  begins!: Date;

  /** Whether the index starts with the first block of the chain, and so contains every vote. */
  @Column('boolean', { name: 'has_all_votes' })
  hasAllVotes!: boolean;

  @Column('int', { name: 'next_account_id' })
  nextAccountId!: number;

  @Column('bigint', { name: 'next_post_id' })
  nextPostId!: bigint;
}
