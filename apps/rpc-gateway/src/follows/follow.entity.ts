import { columnTypes } from '@waggle/service';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The lists of one account that another is on; no row if there are none. */
@Entity('follow')
@Index('follow_follower', { synchronize: false })
@Index('follow_muted', ['followerId', 'followingId'], { where: 'lists & 16 > 0' })
@Index('follow_ignored', ['followingId', 'followerId'], { where: 'lists & 2 > 0' })
@Index('follow_lists', ['followerId', 'lists'])
export class FollowEntity {
  @PrimaryColumn('int') followerId!: number;
  @PrimaryColumn('int') followingId!: number;

  /** Bits as in `followLists`. */
  @Column('smallint') lists!: number;
}

export const followTable = columnTypes(FollowEntity);
