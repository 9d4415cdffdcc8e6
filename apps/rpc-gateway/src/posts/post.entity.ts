import { columnTypes } from '@waggle/service';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A post or comment, with what is needed as long as it may get replies. */
@Entity('post')
@Index('post_link', ['authorId', 'permlink'], { unique: true, where: 'NOT is_deleted' })
@Index('post_deleted_link', ['authorId', 'permlink'], { where: 'is_deleted' })
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
  @Column('boolean') isMuted!: boolean;
  @Column('boolean') isPinned!: boolean;

  /** The row remains, because notifications refer to it; another post may reuse its link. */
  @Column('boolean') isDeleted!: boolean;
  @Column({ type: 'text', collation: 'C' }) permlink!: string;
}

export const postTable = columnTypes(PostEntity);
