import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The number of unpaid posts of an author in a community, used to maintain its number of authors. */
@Entity('community_author')
export class CommunityAuthorEntity {
  @PrimaryColumn('int') authorId!: number;
  @PrimaryColumn('int') communityId!: number;
  @Column('int') pendingPosts!: number;
}
