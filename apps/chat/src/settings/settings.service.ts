import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type Settings } from '@waggle/contracts';
import { sql, Statement } from '@waggle/service';
import { type ClientBase } from 'pg';
import { Repository } from 'typeorm';
import { ChangeTransactions } from '../delivery/change-transactions';
import { FrameLimits, priceOfChange } from '../realtime/frame-limits';
import { LockedPair } from '../relations/locked-pair';
import { SettingEntity } from './setting.entity';

/** Number of dms whose entries cost as much as a plain frame. Those of 20,000 dms take the database 0.6 s. */
const dmsPerFrame = 20;

/** Number of dms in one transaction, which locks them for about 15 ms. */
const dmsPerTransaction = 500;

const storeSetting = new Statement({
  name: 'store-setting',
  text: `
    INSERT INTO setting (account, dm_from_friends) VALUES ($1, $2)
    ON CONFLICT (account) DO UPDATE SET dm_from_friends = excluded.dm_from_friends`,
  parameters: { account: sql.text, fromFriends: sql.bool },
  columns: {},
});

const dmsOfAccount = new Statement({
  name: 'dms-of-account',
  text: `
    SELECT c.id FROM member mine JOIN conversation c ON c.id = mine.conversation_id
    WHERE mine.account = $1 AND c.type = 'dm'`,
  parameters: { account: sql.text },
  columns: { id: sql.text },
});

/** Reads and changes the settings of accounts. The statements that authorize messages read them as well. */
@Injectable()
export class SettingsService {
  constructor(
    @InjectRepository(SettingEntity) private readonly settings: Repository<SettingEntity>,
    private readonly changeTransactions: ChangeTransactions,
    private readonly limits: FrameLimits,
  ) {}

  async get(account: string): Promise<Settings> {
    const row = await this.settings.findOneBy({ account });
    return { dm: { only_from_friends: row?.dmFromFriends ?? false } };
  }

  /**
   * Changes the settings, for which the caller has paid as for any change. If only friends may write from now on, an entry in each
   * dm of the account revokes the permissions to write that instances have cached; they never cache a rejection.
   *
   * The setting is committed first, so that a dm that is created later is subject to it. The entries follow in further transactions,
   * none of which holds the account's lock. They are written again if the setting stays the same, because an earlier call may not
   * have written all of them.
   *
   * @throws ChatError `rate-limited` if the account cannot pay for the entries; then nothing is changed
   */
  async set(account: string, { dm }: Settings): Promise<Settings> {
    let dms: string[] = [];
    await this.changeTransactions.make(undefined, async (client) => {
      // Waits for dms that other transactions are creating: `findDms` would not find them.
      await LockedPair.lockAllOf(client, account);
      if (dm.only_from_friends) dms = await findDms(client, account);
      const price = priceOfChange + Math.ceil(dms.length / dmsPerFrame);
      this.limits.charge(account, { price, paid: priceOfChange });
      await storeSetting.execute(client, { account, fromFriends: dm.only_from_friends });
      return [];
    });
    for (let begin = 0; begin < dms.length; begin += dmsPerTransaction) {
      const changes = dms
        .slice(begin, begin + dmsPerTransaction)
        .map((conversationId) => ({ conversationId, events: [] }));
      await this.changeTransactions.make(undefined, () => Promise.resolve(changes));
    }
    return { dm };
  }
}

async function findDms(client: ClientBase, account: string): Promise<string[]> {
  const rows = await dmsOfAccount.query(client, { account });
  return rows.map(({ id }) => id);
}
