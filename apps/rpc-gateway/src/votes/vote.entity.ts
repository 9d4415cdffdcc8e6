import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A vote that may still change, so that its effect can be reverted. Deleted when the post is paid. */
@Entity('vote')
export class VoteEntity {
  @PrimaryColumn('bigint') postId!: bigint;
  @PrimaryColumn('int') voterId!: number;
  @Column('bigint') rshares!: bigint;
}
