import { Inject, Injectable } from '@nestjs/common';
import { type Settings } from '@waggle/contracts';
import { POOL, Statement } from '@waggle/service';
import { type Pool } from 'pg';
import { ChangeTransactions } from '../delivery/change-transactions';
import { chunks } from '../portions';
import { FrameLimits } from '../realtime/frame-limits';
import { priceOfChange } from '../realtime/frame-prices';
import { LockedPair } from '../relations/locked-pair';
import { conversationTable } from '../log/conversation.entity';
import { memberTable } from '../log/member.entity';
import { settingTable } from './setting.entity';

/** Number of dms whose entries cost as much as a plain frame. The entries of 20,000 dms take the database 0.6 s. */
const dmsPerFrame = 20;

/** Number of dms in one transaction, which locks them for about 15 ms. */
const dmsPerTransaction = 500;

/** Returns the settings of an account; no row if it has never changed them. */
const settingOfAccount = new Statement({
  name: 'setting-of-account',
  text: 'SELECT dm_from_friends FROM setting WHERE account = $1',
  parameters: { account: settingTable.account },
  columns: { dm_from_friends: settingTable.dmFromFriends },
});

const storeSetting = new Statement({
  name: 'store-setting',
  text: `
    INSERT INTO setting (account, dm_from_friends) VALUES ($1, $2)
    ON CONFLICT (account) DO UPDATE SET dm_from_friends = excluded.dm_from_friends`,
  parameters: { account: settingTable.account, fromFriends: settingTable.dmFromFriends },
  columns: {},
});

/** Returns the dms of an account, also hidden ones. */
const dmsOfAccount = new Statement({
  name: 'dms-of-account',
  text: `
    SELECT c.id FROM member mine JOIN conversation c ON c.id = mine.conversation_id
    WHERE mine.account = $1 AND c.type = 'dm'`,
  parameters: { account: memberTable.account },
  columns: { id: conversationTable.id },
});

/** Reads and changes the settings of accounts. The statements that authorize messages read them as well. */
@Injectable()
export class SettingsService {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly changeTransactions: ChangeTransactions,
    private readonly limits: FrameLimits,
  ) {}

  async get(account: string): Promise<Settings> {
    const row = await settingOfAccount.find(this.pool, { account });
    return { dm: { only_from_friends: row?.dm_from_friends ?? false } };
  }

  /**
   * Changes the settings. The caller has paid for this as for any change. If only friends may write from now on, an
   * entry in each dm of the account revokes the permissions to write that instances cached; they never cache a
   * rejection.
   *
   * The setting is committed first, so that a dm that is created later is subject to it. The entries follow in further
   * transactions without the account's lock. They are written again if the setting stays the same, because an earlier
   * call may not have written all of them.
   *
   * @throws ChatError `rate-limited` if the account cannot pay for the entries; then nothing is changed
   */
  async set(account: string, { dm }: Settings): Promise<Settings> {
    /** The dms that get an entry. */
    let dms: string[] = [];
    await this.changeTransactions.make(undefined, async (client) => {
      // Waits for dms that other transactions are creating: `dmsOfAccount` would not find them.
      await LockedPair.lockAllOf(client, account);
      if (dm.only_from_friends) dms = (await dmsOfAccount.query(client, { account })).map(({ id }) => id);
      const price = priceOfChange + Math.ceil(dms.length / dmsPerFrame);
      this.limits.charge(account, { price, alreadyPaid: priceOfChange });
      await storeSetting.execute(client, { account, fromFriends: dm.only_from_friends });
      return [];
    });
    for (const chunk of chunks(dms, dmsPerTransaction)) {
      const changes = chunk.map((conversationId) => ({ conversationId, events: [] }));
      await this.changeTransactions.make(undefined, () => Promise.resolve(changes));
    }
    return { dm };
  }
}
