import { HiveClient } from '@waggle/chain';
import { Devnet } from '@waggle/devnet';
import { type Queryable } from '@waggle/service';
import { createTemplate, createTestDatabase, emptyTables, type TestDatabase } from '@waggle/testing';
import { Client, Pool, type QueryConfig } from 'pg';
import { migrate } from '../../src/database';
import { initializeIndexState } from '../../src/index-state/index-state';
import { applyBlocks } from '../../src/indexer/apply-blocks';
import { type NetworkRules, otherNetworkRules } from '../../src/indexer/network-rules';
import { firstNotificationTime, type RetentionSettings } from '../../src/indexer/changeset/retention-period';
import { type AccountLookup } from '../../src/accounts/account-lookup';
import { JsonText } from '../../src/rpc/json-text';
import { declarations } from '../../src/local/declarations';
import { localMethods } from '../../src/local/local-methods';
import { createSources, type Sources } from '../../src/local/declaration/sources';
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

/** Older than the chain, as the accounts of its genesis are. */
export const genesisAccount = 'genesis';

export interface TimedBlock {
  readonly operations: readonly OperationSketch[];
  /** Since the previous block. */
  readonly seconds: number;
}

/** Creates a migrated, empty database. */
export async function freshDatabase(): Promise<TestDatabase> {
  return createTestDatabase(await createTemplate('rpc_gateway', migrate));
}

const defaultRetention = { notificationDays: 90, bodyDays: null, keepsVotes: true };
const start = { begins: timeOf(0), firstBlock: 1, notificationDays: 90, notificationsFrom: timeOf(0) };

/** An index that tests apply blocks to directly, without a follower, and the local methods on it. */
export class IndexUnderTest {
  /** The number of rows that the statements of the indexer returned. */
  rowsRead = 0;
  /** The names of accounts that the indexer looked up outside the index. */
  readonly lookedUp: string[] = [];
  /** Applied to the next blocks. */
  rules: NetworkRules = otherNetworkRules;
  /** Applied to the next blocks. */
  retention: RetentionSettings = defaultRetention;
  /** Whether the next blocks are the last ones of the chain. */
  isAtHead = true;
  private block = 0;
  private time = timeOf(0);

  private constructor(
    readonly database: TestDatabase,
    private readonly client: Client,
    private readonly pool: Pool,
    private readonly devnet: Devnet,
    private readonly hive: HiveClient,
    private readonly sources: Sources,
  ) {}

  static async start(): Promise<IndexUnderTest> {
    const database = await freshDatabase();
    const client = new Client({ connectionString: database.url });
    await client.connect();
    await initializeIndexState(client, start);
    const pool = new Pool({ connectionString: database.url, max: 2 });
    const devnet = await Devnet.start();
    const hive = new HiveClient({ urls: devnet.urls });
    return new IndexUnderTest(database, client, pool, devnet, hive, createSources(pool, hive));
  }

  /**
   * Empties the index. @param headTime of the chain, which the index has to catch up with; by default the time of its
   * first block
   */
  async reset(headTime = timeOf(0)): Promise<void> {
    await emptyTables(
      this.client,
      tables.map(([table]) => table),
    );
    await initializeIndexState(this.client, { ...start, notificationsFrom: firstNotificationTime(headTime, 90) });
    this.block = 0;
    this.time = timeOf(0);
    this.rules = otherNetworkRules;
    this.retention = defaultRetention;
    this.isAtHead = true;
  }

  /** The time of the notifications of the next block, as items contain it. */
  get date(): string {
    return this.time.toISOString().slice(0, 19);
  }

  /** Applies one block for each list of operations, all in one transaction. */
  async apply(...blocks: readonly (readonly OperationSketch[])[]): Promise<void> {
    await this.applyAt(3, ...blocks);
  }

  /** As `apply`; the first block comes this many seconds after the previous one. */
  async applyAt(seconds: number, ...blocks: readonly (readonly OperationSketch[])[]): Promise<void> {
    await this.applyTimed(blocks.map((operations, index) => ({ operations, seconds: index === 0 ? seconds : 3 })));
  }

  /** As `apply`; each block comes `seconds` after the previous one. */
  async applyTimed(blocks: readonly TimedBlock[]): Promise<void> {
    const followed = blocks.map(({ operations, seconds }) => {
      const previousTimestamp = this.time;
      this.time = new Date(this.time.getTime() + seconds * 1_000);
      this.block += 1;
      return blockWith(this.block, operations, { timestamp: this.time, previousTimestamp });
    });
    await this.client.query('BEGIN');
    const { accountLookup, rules, retention, isAtHead } = this;
    await applyBlocks(this.countingClient, followed, { accountLookup, rules, retention, isAtHead });
    await this.client.query(
      `INSERT INTO chain_checkpoint (name, block_number, block_id, block_time, applied_at) VALUES ('index', 1, '', $1, now())
       ON CONFLICT (name) DO UPDATE SET block_time = $1`,
      [this.time],
    );
    await this.client.query('COMMIT');
  }

  /** Sets the number of the next block. */
  continueAtBlock(number: number): void {
    this.block = number - 1;
  }

  /** Makes the next block come after this time. */
  continueAt(time: Date): void {
    this.time = time;
  }

  /** Calls a method and returns the parsed result. @throws RpcError */
  async call(method: string, params?: object, isViaCall = false): Promise<unknown> {
    const value = await localMethods.get(method)?.prepare(params, isViaCall, this.sources).run();
    const result: unknown = JSON.parse(value instanceof JsonText ? value.text : JSON.stringify(value));
    // The result conforms to the API description.
    declarations.find(({ name }) => name === method)?.result.parse(result);
    return result;
  }

  /** As `call`, but by the JSON-RPC method `call`. */
  async callBy(method: string, params: object): Promise<unknown> {
    return this.call(method, params, true);
  }

  /** The notifications of an account, newest first, with any score. */
  async items(account: string, params: object = {}): Promise<Item[]> {
    return (await this.call('bridge.account_notifications', { account, min_score: 0, ...params })) as Item[];
  }

  /** Their messages, optionally of one type only. */
  async messages(account: string, type?: string): Promise<string[]> {
    const items = await this.items(account);
    return items.filter((item) => type === undefined || item.type === type).map(({ msg }) => msg);
  }

  /** Executes SQL on the connection of the indexer. */
  async execute(text: string): Promise<void> {
    await this.client.query(text);
  }

  /** Every row of every table. */
  async everyRow(): Promise<Record<string, unknown[]>> {
    return everyRow(this.database.url);
  }

  /** For an index of the whole chain, which does not query nodes. */
  private get accountLookup(): AccountLookup {
    return {
      findCreatedBefore: (names) => {
        this.lookedUp.push(...names);
        return Promise.resolve(new Map(names.includes(genesisAccount) ? [[genesisAccount, timeOf(0)]] : []));
      },
      findReputations: () => Promise.resolve(new Map()),
    };
  }

  /** The client, which also counts the rows that statements return. */
  private get countingClient(): Queryable {
    const query = async (statement: QueryConfig) => {
      const result = await this.client.query(statement);
      this.rowsRead += result.rows.length;
      return result;
    };
    return { query } as Queryable;
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
  ['post_content', 'post_id'],
  ['post_tag', 'tag, post_id'],
  ['post_text', 'post_id'],
  ['payout', 'post_id'],
  ['ranked_post', 'post_id'],
  ['vote', 'post_id, voter_id'],
  ['follow', 'follower_id, following_id'],
  ['blog_entry', 'post_id, account_id'],
  ['community', 'id'],
  ['community_role', 'community_id, account_id'],
  ['community_author', 'community_id, author_id'],
  ['subscription', 'community_id, account_id'],
  ['flag', 'post_id, account_id'],
  ['notification', 'id'],
  ['mention', 'post_id, account_id'],
] as const;

/** The columns of the index state that follow from the chain. */
const stateColumns = 'begins, first_block, notification_days, next_account_id, next_post_id';

/** Every row of every table except the checkpoint, which contains the time of writing. */
export async function everyRow(url: string): Promise<Record<string, unknown[]>> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const all: Record<string, unknown[]> = {};
  for (const [table, order] of tables) {
    const columns = table === 'index_state' ? stateColumns : '*';
    all[table] = (await client.query<object>(`SELECT ${columns} FROM ${table} ORDER BY ${order}`)).rows;
  }
  await client.end();
  return all;
}
