import { Inject, Injectable } from '@nestjs/common';
import { type FriendRequest, type FriendsList } from '@waggle/contracts';
import { POOL } from '@waggle/service';
import { type Pool } from 'pg';
import { type FriendRequestRow } from './locked-pair';

/** Reads what is between accounts; `LockedPair` changes it. */
@Injectable()
export class RelationsStore {
  constructor(@Inject(POOL) private readonly pool: Pool) {}

  async findRequest(id: string): Promise<FriendRequestRow | undefined> {
    const { rows } = await this.pool.query<FriendRequestRow>(
      'SELECT id, requester, addressee FROM friend_request WHERE id = $1',
      [id],
    );
    return rows[0];
  }

  async listRequests(addressee: string): Promise<FriendRequest[]> {
    const { rows } = await this.pool.query<FriendRequest>(
      'SELECT id, requester AS username FROM friend_request WHERE addressee = $1 ORDER BY created_at, id',
      [addressee],
    );
    return rows;
  }

  async listFriends(account: string): Promise<FriendsList> {
    const { rows } = await this.pool.query<FriendsList>(
      `SELECT
         ARRAY(SELECT CASE first WHEN $1 THEN second ELSE first END FROM friendship
               WHERE first = $1 OR second = $1 ORDER BY created_at, first, second) AS friends,
         ARRAY(SELECT blocked FROM block WHERE blocker = $1 ORDER BY created_at, blocked) AS blocked`,
      [account],
    );
    if (rows[0] === undefined) throw new Error('a SELECT without a row');
    return rows[0];
  }
}
