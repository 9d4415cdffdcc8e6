import { HiveClient } from '@waggle/chain';
import { Devnet } from '@waggle/devnet';
import { createTemplate, createTestDatabase, emptyTables, type TestDatabase } from '@waggle/testing';
import { Client, Pool } from 'pg';
import { migrate } from '../src/database';
import { initializeIndexState } from '../src/index-state/index-state';
import { applyBlocks } from '../src/indexer/apply-blocks';
import { type AccountLookup } from '../src/accounts/account-lookup';
import { declarations } from '../src/local/declarations';
import { LocalMethods } from '../src/local/local-methods';
import { createSources } from '../src/local/sources';
import { JsonText } from '../src/local/json-text';
import { blockWith, timeOf } from './blocks';
import { type OperationSketch } from './operations';

export interface Item {
  readonly id: number;
  readonly type: string;
  readonly score: number;
  readonly date: string;
  readonly msg: string;
  readonly url: string;
}

/** A chain of which the index has all: there is nothing to ask of nodes. */
const wholeChain: AccountLookup = {
  findCreatedBefore: () => Promise.resolve(new Map()),
  findReputations: () => Promise.resolve(new Map()),
};

/** A migrated, empty database. */
export async function freshDatabase(): Promise<TestDatabase> {
  return createTestDatabase(await createTemplate('rpc_gateway', migrate));
}

/** An index that blocks are fed into directly, as the follower would, and the methods that answer from it. */
export class IndexUnderTest {
  /** The last irreversible block as the nodes claim it; default the last that was applied. */
  claimedBlock: number | undefined;
  private block = 0;
  private time = timeOf(0);

  private constructor(
    readonly database: TestDatabase,
    private readonly client: Client,
    private readonly pool: Pool,
    private readonly devnet: Devnet,
    private readonly hive: HiveClient,
    private readonly methods: LocalMethods,
  ) {}

  static async start(): Promise<IndexUnderTest> {
    const database = await freshDatabase();
    const client = new Client({ connectionString: database.url });
    await client.connect();
    await initializeIndexState(client, timeOf(0), true);
    const pool = new Pool({ connectionString: database.url, max: 2 });
    const devnet = await Devnet.start();
    const hive = new HiveClient({ urls: devnet.urls });
    const methods = new LocalMethods(createSources(pool, hive));
    return new IndexUnderTest(database, client, pool, devnet, hive, methods);
  }

  /** Begins anew, with nothing in it. */
  async reset(): Promise<void> {
    await emptyTables(
      this.client,
      tables.map(([table]) => table),
    );
    await initializeIndexState(this.client, timeOf(0), true);
    this.block = 0;
    this.claimedBlock = undefined;
    this.time = timeOf(0);
  }

  /** The time that what the next block does is dated by, as items write it. */
  get date(): string {
    return this.time.toISOString().slice(0, 19);
  }

  /** One block for each list of operations, all in one transaction. */
  async apply(...blocks: readonly (readonly OperationSketch[])[]): Promise<void> {
    await this.applyAt(3, ...blocks);
  }

  /** The first of the blocks comes so many seconds after the one before. */
  async applyAt(seconds: number, ...blocks: readonly (readonly OperationSketch[])[]): Promise<void> {
    let pause = seconds;
    const followed = blocks.map((operations) => {
      const previousTimestamp = this.time;
      this.time = new Date(this.time.getTime() + pause * 1_000);
      pause = 3;
      this.block += 1;
      return blockWith(this.block, operations, { timestamp: this.time, previousTimestamp });
    });
    await this.client.query('BEGIN');
    const options = {
      accountLookup: wholeChain,
      notificationDays: 90,
      irreversibleBlock: this.claimedBlock ?? this.block,
    };
    await applyBlocks(this.client, followed, options);
    await this.client.query(
      `INSERT INTO chain_checkpoint (name, block_number, block_id, block_time, applied_at) VALUES ('index', 1, '', $1, now())
       ON CONFLICT (name) DO UPDATE SET block_time = $1`,
      [this.time],
    );
    await this.client.query('COMMIT');
  }

  /** The result as a client reads it. @throws RpcError */
  async call(method: string, params?: unknown, isViaCall = false): Promise<unknown> {
    const answer = await this.methods.find(method)?.call(params, isViaCall);
    const result: unknown = JSON.parse(answer instanceof JsonText ? answer.text : JSON.stringify(answer));
    // As the API is described.
    declarations.find(({ name }) => name === method)?.result.parse(result);
    return result;
  }

  /** The same as by `call`, with the method's name among its parameters. */
  async callBy(method: string, params: unknown): Promise<unknown> {
    return this.call(method, params, true);
  }

  /** What an account is told, the newest first, whatever its score. */
  async items(account: string, params: object = {}): Promise<Item[]> {
    return (await this.call('bridge.account_notifications', { account, min_score: 0, ...params })) as Item[];
  }

  /** The messages of these, and of one type alone where that is given. */
  async messages(account: string, type?: string): Promise<string[]> {
    const items = await this.items(account);
    return items.filter((item) => type === undefined || item.type === type).map(({ msg }) => msg);
  }

  /** Every row of every table. */
  async everyRow(): Promise<Record<string, unknown[]>> {
    return everyRow(this.database.url);
  }

  async stop(): Promise<void> {
    await this.client.end();
    await this.pool.end();
    await this.hive.close();
    await this.devnet.stop();
    await this.database.drop();
  }
}

const tables = [
  ['index_state', 'single'],
  ['account', 'id'],
  ['post', 'id'],
  ['young_post', 'post_id'],
  ['post_text', 'post_id'],
  ['vote', 'post_id, voter_id'],
  ['follow', 'follower_id, following_id'],
  ['reblog', 'post_id, account_id'],
  ['community', 'id'],
  ['community_role', 'community_id, account_id'],
  ['community_author', 'community_id, author_id'],
  ['subscription', 'community_id, account_id'],
  ['flag', 'post_id, account_id'],
  ['notification', 'id'],
  ['mention', 'post_id, account_id'],
] as const;

/** Every row of every table, but for the checkpoint's, which tells when something was written. */
export async function everyRow(url: string): Promise<Record<string, unknown[]>> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const all: Record<string, unknown[]> = {};
  for (const [table, order] of tables) {
    all[table] = (await client.query<object>(`SELECT * FROM ${table} ORDER BY ${order}`)).rows;
  }
  await client.end();
  return all;
}
