import { columnTypes } from '@waggle/service';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Title and metadata of a post or comment, as its last edit left them. */
@Entity('post_content')
@Index('post_content_category', ['category'], { where: 'category IS NOT NULL' })
export class PostContentEntity {
  @PrimaryColumn('bigint') postId!: bigint;

  /** The time of the last edit, or of the creation. */
  @Column('timestamptz') updated!: Date;

  /** The number of edits; names a version of the body. */
  @Column('int') revision!: number;

  /** The community or first tag of a post; null for a comment, which has the category of its post. */
  @Column('text', { nullable: true }) category!: string | null;
  @Column('text') title!: string;

  /** As on the chain: may not be JSON. */
  @Column('text') jsonMetadata!: string;
}

export const postContentTable = columnTypes(PostContentEntity);
