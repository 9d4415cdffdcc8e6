import { Entity, PrimaryColumn } from 'typeorm';

/** Who has flagged which post to the community that it is in: once and for all. */
@Entity('flag')
export class FlagEntity {
  @PrimaryColumn('bigint', { name: 'post_id' })
  postId!: bigint;

  @PrimaryColumn('int', { name: 'account_id' })
  accountId!: number;
}
