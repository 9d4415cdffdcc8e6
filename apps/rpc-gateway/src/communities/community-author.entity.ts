import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The number of unpaid posts of an author in a community, used to maintain its number of authors. */
@Entity('community_author')
export class CommunityAuthorEntity {
  @PrimaryColumn('int', { name: 'author_id' })
  authorId!: number;

  @PrimaryColumn('int', { name: 'community_id' })
  communityId!: number;

  @Column('int', { name: 'pending_posts' })
  pendingPosts!: number;
}
