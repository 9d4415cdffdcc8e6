import { columnTypes } from '@waggle/service';
import { Entity, Index, PrimaryColumn } from 'typeorm';

/** A tag of a post; comments have none. */
@Entity('post_tag')
@Index('post_tag_post', ['postId'])
export class PostTagEntity {
  /** In lower case, without spaces. */
  @PrimaryColumn({ type: 'text', collation: 'C' }) tag!: string;
  @PrimaryColumn('bigint') postId!: bigint;
}

export const postTagTable = columnTypes(PostTagEntity);
