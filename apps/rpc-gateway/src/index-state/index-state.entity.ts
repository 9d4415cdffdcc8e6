import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What the index knows of itself, in one row. */
@Entity('index_state')
export class IndexStateEntity {
  @PrimaryColumn({ type: 'boolean', default: true })
  single!: boolean;

  /** Who was created at this time or later was created in a block of the index; who is older is met without. */
  @Column('timestamptz')
  begins!: Date;

  /** Whether it begins with the chain, and so knows every vote. */
  @Column('boolean', { name: 'has_all_votes' })
  hasAllVotes!: boolean;

  @Column('int', { name: 'next_account_id' })
  nextAccountId!: number;

  @Column('bigint', { name: 'next_post_id' })
  nextPostId!: bigint;
}
