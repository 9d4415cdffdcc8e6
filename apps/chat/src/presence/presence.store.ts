import { Inject, Injectable } from '@nestjs/common';
import { POOL, sql, Statement } from '@waggle/service';
import { type Pool } from 'pg';

/** Maximum number of friends of an account that are notified, and whose presence it is sent. */
const maxFriends = 1_000;

const friendsForPresence = new Statement({
  name: 'friends-for-presence',
  text: `
    SELECT second AS friend FROM friendship WHERE first = $1
    UNION ALL SELECT first FROM friendship WHERE second = $1
    LIMIT ${maxFriends}`,
  parameters: { account: sql.text },
  columns: { friend: sql.notNull(sql.text) },
});

/** Reads the friends of an account, who are notified when it connects or disconnects, and whose presence it is sent. */
@Injectable()
export class PresenceStore {
  constructor(@Inject(POOL) private readonly pool: Pool) {}

  /** Returns at most `maxFriends` friends of an account. */
  async findFriends(account: string): Promise<string[]> {
    const rows = await friendsForPresence.query(this.pool, { account });
    return rows.map(({ friend }) => friend);
  }
}
