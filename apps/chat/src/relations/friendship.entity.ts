import { columnTypes } from '@waggle/service';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Two accounts that are friends. */
@Entity('friendship')
@Index('friendship_first', ['first', 'createdAt', 'second'])
@Index('friendship_second', ['second', 'createdAt', 'first'])
export class FriendshipEntity {
  /** The two accounts in byte order, whatever the locale of the database. */
  @PrimaryColumn({ type: 'text', collation: 'C' }) first!: string;
  @PrimaryColumn({ type: 'text', collation: 'C' }) second!: string;
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' }) createdAt!: Date;
}

export const friendshipTable = columnTypes(FriendshipEntity);
