import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A community: an account whose name says so. */
@Entity('community')
@Index('community_words', { synchronize: false })
export class CommunityEntity {
  /** That of its account. */
  @PrimaryColumn('int')
  id!: number;

  /** 1 topic: everybody may post; 2 journal: members post, everybody comments; 3 council: members only. */
  @Column('smallint', { name: 'type_id' })
  typeId!: number;

  @Column('text')
  title!: string;

  @Column('text')
  about!: string;

  @Column('text')
  lang!: string;

  @Column('boolean', { name: 'is_nsfw' })
  isNsfw!: boolean;

  @Column('text')
  description!: string;

  @Column('text', { name: 'flag_text' })
  flagText!: string;

  /** JSON as it is answered. Text, since the database's own JSON refuses characters that strings of JSON may have. */
  @Column('text')
  settings!: string;

  @Column('timestamptz')
  created!: Date;

  @Column('int')
  subscribers!: number;

  /** Who has posts in it that are not paid yet, how many posts, and what these would be paid now, in thousandths of HBD. */
  @Column('int')
  authors!: number;

  @Column('int', { name: 'pending_posts' })
  pendingPosts!: number;

  @Column('bigint', { name: 'pending_payout' })
  pendingPayout!: bigint;
}
