import { columnTypes } from '@waggle/service';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A post or comment that is not paid yet, with what rankings order by. A table of its own, so that votes update only
 * the small indexes of the posts of a week. It follows from `payout` and `post`, and is empty until the index has
 * caught up with the chain.
 */
@Entity('ranked_post')
@Index('ranked_post_trend', ['trend', 'postId'], { where: 'NOT is_comment' })
@Index('ranked_post_hot', ['hot', 'postId'], { where: 'NOT is_comment' })
@Index('ranked_post_payout', ['payout', 'postId'])
@Index('ranked_post_category', ['category', 'payout', 'postId'])
@Index('ranked_post_author', ['authorId'])
@Index('ranked_post_promoted', ['promoted', 'postId'], { where: 'promoted > 0' })
@Index('ranked_post_community_trend', ['communityId', 'trend', 'postId'], { where: 'NOT is_comment' })
@Index('ranked_post_community_hot', ['communityId', 'hot', 'postId'], { where: 'NOT is_comment' })
@Index('ranked_post_community_payout', ['communityId', 'isComment', 'payout', 'postId'])
export class RankedPostEntity {
  @PrimaryColumn('bigint') postId!: bigint;

  @Column('int') authorId!: number;

  /** Of its thread. */
  @Column('text', { nullable: true }) category!: string | null;

  /** Paid and pending, in thousandths of HBD. */
  @Column('bigint') payout!: bigint;

  /** As in `payout`. */
  @Column('bigint') promoted!: bigint;

  /** Scores (`rank-sql.ts`); 0 for a comment. */
  @Column('real') trend!: number;
  @Column('real') hot!: number;
  @Column('timestamptz') created!: Date;
  @Column('int', { nullable: true }) communityId!: number | null;
  @Column('boolean') isComment!: boolean;
}

export const rankedPostTable = columnTypes(RankedPostEntity);
