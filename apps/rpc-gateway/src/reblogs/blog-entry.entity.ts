import { columnTypes } from '@waggle/service';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A post on the blog of an account: its own, or one that it reblogged. Comments that it wrote are not on its blog. */
@Entity('blog_entry')
@Index('blog_entry_account', ['accountId', 'created', 'postId'])
@Index('blog_entry_created', ['created', 'postId'])
export class BlogEntryEntity {
  @PrimaryColumn('bigint') postId!: bigint;
  @PrimaryColumn('int') accountId!: number;

  /** Whether the account reblogged it; an account may reblog its own post. */
  @Column('boolean') isReblog!: boolean;

  /** When it came to the blog. */
  @Column('timestamptz') created!: Date;
}

export const blogEntryTable = columnTypes(BlogEntryEntity);
