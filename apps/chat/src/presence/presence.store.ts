import { Inject, Injectable } from '@nestjs/common';
import { POOL, sql, Statement } from '@waggle/service';
import { type Pool } from 'pg';

/** So many friends are told at most. */
const friendsMost = 1_000;

const friendsForPresence = new Statement({
  name: 'friends-for-presence',
  text: `
    SELECT second AS friend FROM friendship WHERE first = $1
    UNION ALL SELECT first FROM friendship WHERE second = $1
    LIMIT ${friendsMost}`,
  parameters: { account: sql.text },
  columns: { friend: sql.notNull(sql.text) },
});

/** Who is to know that an account is connected. */
@Injectable()
export class PresenceStore {
  constructor(@Inject(POOL) private readonly pool: Pool) {}

  /** At most `friendsMost` of the account. */
  async findFriends(account: string): Promise<string[]> {
    const rows = await friendsForPresence.query(this.pool, { account });
    return rows.map(({ friend }) => friend);
  }
}
