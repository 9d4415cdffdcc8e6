import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How many posts of an author in a community are not paid yet: so that the authors can be counted one by one. */
@Entity('community_author')
export class CommunityAuthorEntity {
  @PrimaryColumn('int', { name: 'author_id' })
  authorId!: number;

  @PrimaryColumn('int', { name: 'community_id' })
  communityId!: number;

  @Column('int', { name: 'pending_posts' })
  pendingPosts!: number;
}
