import { Inject, Injectable } from '@nestjs/common';
import { POOL } from '@waggle/service';
import { type Pool } from 'pg';

/** So many friends are told at most. */
const friendsMost = 1_000;

/** Who is to know that an account is connected. */
@Injectable()
export class PresenceStore {
  constructor(@Inject(POOL) private readonly pool: Pool) {}

  /** At most `friendsMost` of the account. */
  async findFriends(account: string): Promise<string[]> {
    const { rows } = await this.pool.query<{ friend: string }>({
      name: 'friends-for-presence',
      text: `
        SELECT second AS friend FROM friendship WHERE first = $1
        UNION ALL SELECT first FROM friendship WHERE second = $1
        LIMIT ${friendsMost}`,
      values: [account],
    });
    return rows.map(({ friend }) => friend);
  }
}
