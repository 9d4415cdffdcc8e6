import { columnTypes } from '@waggle/service';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A pending friend request, one per pair. Only the migration can have an index of expressions. */
@Entity('friend_request')
@Index('friend_request_pair', { synchronize: false })
@Index('friend_request_requester', ['requester', 'createdAt', 'id'])
@Index('friend_request_addressee', ['addressee', 'createdAt', 'id'])
export class FriendRequestEntity {
  @PrimaryColumn('text') id!: string;
  @Column('text') requester!: string;
  @Column('text') addressee!: string;
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' }) createdAt!: Date;
}

export const friendRequestTable = columnTypes(FriendRequestEntity);
