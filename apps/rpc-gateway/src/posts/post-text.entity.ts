import { columnTypes } from '@waggle/service';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * The body of a post, retained as `POST_BODIES` says and at least as long as its mentions. Edits may be patches of it.
 */
@Entity('post_text')
@Index('post_text_written', ['written'])
export class PostTextEntity {
  @PrimaryColumn('bigint') postId!: bigint;

  /** When the whole text was written; a patch keeps it. */
  @Column('timestamptz') written!: Date;
  @Column('text') body!: string;

  /** Whether it is the body on the chain. If a patch did not apply, it is the body before. */
  @Column('boolean') isCurrent!: boolean;
}

export const postTextTable = columnTypes(PostTextEntity);
