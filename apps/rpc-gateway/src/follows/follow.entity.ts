import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** On which lists of one account another is. Who is on none has no row. */
@Entity('follow')
@Index('follow_follower', { synchronize: false })
@Index('follow_muted', ['followerId', 'followingId'], { where: 'lists & 16 > 0' })
export class FollowEntity {
  @PrimaryColumn('int', { name: 'follower_id' })
  followerId!: number;

  @PrimaryColumn('int', { name: 'following_id' })
  followingId!: number;

  /** Bits as of `followLists`. */
  @Column('smallint')
  lists!: number;
}
