import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A vote that may still change, so that its effect can be reverted. Deleted when the post is paid. */
@Entity('vote')
export class VoteEntity {
  @PrimaryColumn('bigint', { name: 'post_id' })
  postId!: bigint;

  @PrimaryColumn('int', { name: 'voter_id' })
  voterId!: number;

  @Column('bigint')
  rshares!: bigint;
}
