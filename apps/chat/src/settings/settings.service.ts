import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type Settings } from '@waggle/contracts';
import { type ClientBase } from 'pg';
import { Repository } from 'typeorm';
import { Changes } from '../messages/changes';
import { SettingEntity } from './setting.entity';

/** What an account has set. Judging a message looks at it too, in SQL of its own. */
@Injectable()
export class SettingsService {
  constructor(
    @InjectRepository(SettingEntity) private readonly settings: Repository<SettingEntity>,
    private readonly changes: Changes,
  ) {}

  async get(account: string): Promise<Settings> {
    const row = await this.settings.findOneBy({ account });
    return { dm: { only_from_friends: row?.dmFromFriends ?? false } };
  }

  /** In the stream of each dm of the account stands that who may write there may be another now. */
  async set(account: string, { dm }: Settings): Promise<Settings> {
    await this.changes.make(undefined, async (client) => {
      if (!(await upsert(client, account, dm.only_from_friends))) return [];
      return (await findDms(client, account)).map((conversationId) => ({ conversationId, told: [] }));
    });
    return { dm };
  }
}

/** @returns whether it was another before */
async function upsert(client: ClientBase, account: string, fromFriends: boolean): Promise<boolean> {
  const { rowCount } = await client.query(
    `INSERT INTO setting (account, dm_from_friends) VALUES ($1, $2)
     ON CONFLICT (account) DO UPDATE SET dm_from_friends = excluded.dm_from_friends
     WHERE setting.dm_from_friends <> excluded.dm_from_friends`,
    [account, fromFriends],
  );
  return rowCount === 1;
}

async function findDms(client: ClientBase, account: string): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT c.id FROM member mine JOIN conversation c ON c.id = mine.conversation_id
     WHERE mine.account = $1 AND c.type = 'dm'`,
    [account],
  );
  return rows.map(({ id }) => id);
}
