import { columnTypes } from '@waggle/service';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The text of a post, retained as long as its mentions. Edits may be patches of it. */
@Entity('post_text')
@Index('post_text_written', ['written'])
export class PostTextEntity {
  @PrimaryColumn('bigint') postId!: bigint;
  @Column('timestamptz') written!: Date;
  @Column('text') body!: string;
}

export const postTextTable = columnTypes(PostTextEntity);
