import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A post or comment: what must be known of it as long as somebody may answer it. */
@Entity('post')
@Index('post_link', ['authorId', 'permlink'], { unique: true, where: 'NOT is_deleted' })
export class PostEntity {
  /** 1, 2, 3, … in the order of the chain. */
  @PrimaryColumn('bigint')
  id!: bigint;

  /** What it answers; null where it is a post. */
  @Column('bigint', { name: 'parent_id', nullable: true })
  parentId!: bigint | null;

  @Column('int', { name: 'author_id' })
  authorId!: number;

  /** A comment is in the community of its post. */
  @Column('int', { name: 'community_id', nullable: true })
  communityId!: number | null;

  /** 0 of a post, 1 of what answers it, … */
  @Column('smallint')
  depth!: number;

  @Column('boolean', { name: 'is_muted' })
  isMuted!: boolean;

  @Column('boolean', { name: 'is_pinned' })
  isPinned!: boolean;

  /** The row stays, since notifications name it; another post may have its link. */
  @Column('boolean', { name: 'is_deleted' })
  isDeleted!: boolean;

  @Column({ type: 'text', collation: 'C' })
  permlink!: string;
}
