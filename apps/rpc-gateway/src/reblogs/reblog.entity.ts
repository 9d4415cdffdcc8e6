import { Entity, PrimaryColumn } from 'typeorm';

/** Who has reblogged which post. */
@Entity('reblog')
export class ReblogEntity {
  @PrimaryColumn('bigint', { name: 'post_id' })
  postId!: bigint;

  @PrimaryColumn('int', { name: 'account_id' })
  accountId!: number;
}
