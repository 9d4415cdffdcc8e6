import { Entity, PrimaryColumn } from 'typeorm';

/** A post that an account reblogged. */
@Entity('reblog')
export class ReblogEntity {
  @PrimaryColumn('bigint', { name: 'post_id' })
  postId!: bigint;

  @PrimaryColumn('int', { name: 'account_id' })
  accountId!: number;
}
