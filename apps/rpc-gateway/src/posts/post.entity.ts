import { columnTypes } from '@waggle/service';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A post or comment, with what is needed as long as it may get replies. */
@Entity('post')
@Index('post_link', ['authorId', 'permlink'], { unique: true, where: 'NOT is_deleted' })
@Index('post_deleted_link', ['authorId', 'permlink'], { where: 'is_deleted' })
@Index('post_created', ['id'], { where: 'depth = 0 AND NOT is_deleted' })
@Index('post_community', ['communityId', 'id'], { where: 'depth = 0 AND NOT is_deleted' })
@Index('post_pinned', ['communityId', 'id'], { where: 'is_pinned AND NOT is_deleted' })
@Index('post_author', ['authorId', 'id'], { where: 'depth = 0 AND NOT is_deleted' })
@Index('post_commenter', ['authorId', 'id'], { where: 'depth > 0 AND NOT is_deleted' })
@Index('post_replied', ['parentAuthorId', 'id'], { where: 'depth > 0 AND NOT is_deleted' })
@Index('post_parent', ['parentId', 'id'], { where: 'depth > 0 AND NOT is_deleted' })
@Index('post_root', ['rootId', 'id'], { where: 'depth > 0 AND NOT is_deleted' })
export class PostEntity {
  /** 1, 2, 3, … in the order of the chain. */
  @PrimaryColumn('bigint') id!: bigint;

  /** The post or comment that it replies to; null for a post. */
  @Column('bigint', { nullable: true }) parentId!: bigint | null;
  @Column('int') authorId!: number;

  /** The community of a post; for a comment, that of its post. */
  @Column('int', { nullable: true }) communityId!: number | null;

  /** 0 for a post, 1 for a reply to it, … */
  @Column('smallint') depth!: number;
  @Column('boolean') isPinned!: boolean;

  /** The row remains, because notifications refer to it; another post may reuse its link. */
  @Column('boolean') isDeleted!: boolean;
  @Column({ type: 'text', collation: 'C' }) permlink!: string;

  /** The post that the thread belongs to: itself for a post. */
  @Column('bigint') rootId!: bigint;

  /** The author of the parent; null for a post. */
  @Column('int', { nullable: true }) parentAuthorId!: number | null;
  @Column('timestamptz') created!: Date;

  /** Replies, replies to these, and so on, without deleted ones. */
  @Column('int') children!: number;

  /** Why it is muted, as bits of `mutedReasons`; 0 if it is not. */
  @Column('smallint') mutedReasons!: number;
}

export const postTable = columnTypes(PostEntity);
