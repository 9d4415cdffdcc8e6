import { columnTypes } from '@waggle/service';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The last vote of an account on a post. With `VOTES=unpaid`, it is deleted when the post is paid for good. */
@Entity('vote')
@Index('vote_voter', ['voterId', 'postId'])
export class VoteEntity {
  @PrimaryColumn('bigint') postId!: bigint;
  @PrimaryColumn('int') voterId!: number;
  @Column('bigint') rshares!: bigint;
  @Column('timestamptz') updated!: Date;

  /** The weight that the voter chose, in hundredths of a percent; negative for a downvote. */
  @Column('smallint') percent!: number;

  /** How often the account changed its vote. */
  @Column('smallint') changes!: number;

  /** Whether the chain counted it; not if the post was paid before. */
  @Column('boolean') isEffective!: boolean;

  /** The share of the vote in the curation reward. Unsigned on the chain, beyond `bigint`. */
  @Column('numeric') weight!: bigint;
}

export const voteTable = columnTypes(VoteEntity);
