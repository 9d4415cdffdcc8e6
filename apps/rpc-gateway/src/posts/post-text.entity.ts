import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** What a post says, for edits that say only what they change: kept as long as its mentions count. */
@Entity('post_text')
@Index('post_text_written', ['written'])
export class PostTextEntity {
  @PrimaryColumn('bigint', { name: 'post_id' })
  postId!: bigint;

  @Column('timestamptz')
  written!: Date;

  @Column('text')
  body!: string;
}
