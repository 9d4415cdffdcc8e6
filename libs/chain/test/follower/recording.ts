import { type Devnet } from '@waggle/devnet';
import { createTestDatabase, type TestDatabase, until } from '@waggle/testing';
import { types } from 'node:util';
import { Client, type ClientBase } from 'pg';
import {
  BlockFollower,
  type BlockFollowerOptions,
  chainCheckpointTable,
  type FollowedBlock,
  type FollowerObserver,
  HiveClient,
  type HiveClientOptions,
} from '../../src';

/** A row per operation, so that applying one twice fails. */
const tables = `
  CREATE TABLE applied_block (number bigint PRIMARY KEY, id text NOT NULL);
  CREATE TABLE applied_operation (
    block bigint, index integer, type text NOT NULL, value jsonb NOT NULL, PRIMARY KEY (block, index)
  )`;

/** Virtual operations that the tests follow. */
export const virtualOperations = ['return_vesting_delegation', 'hardfork_hive', 'account_created'];

/** What a follower wrote, as `number id` and `block.index type` lines. */
export interface Recorded {
  readonly blocks: readonly string[];
  readonly operations: readonly string[];
}

/** One call of the observer of a follower. */
export interface FollowerEvent {
  readonly name: keyof FollowerObserver;
  readonly args: readonly unknown[];
}

/** A follower that runs. */
export interface Running {
  readonly follower: BlockFollower;
  /** Settles as `run` does. */
  readonly ended: Promise<void>;
  /** What it reported, in order. */
  readonly events: readonly FollowerEvent[];
  /** Aborts it, and resolves when it ends. Rejects if it failed. */
  stop(): Promise<void>;
}

/** A database where followers of a devnet write what they read. */
export class Recording {
  /** Ranges that followers of this database applied without a comparison. */
  notCompared = 0;
  private readonly running = new Set<Running>();
  private readonly clients = new Set<HiveClient>();

  private constructor(
    readonly devnet: Devnet,
    readonly database: TestDatabase,
    private readonly admin: Client,
  ) {}

  /** Starts in a database of its own, which `stop` drops. */
  static async start(devnet: Devnet): Promise<Recording> {
    return await Recording.prepare(devnet, await createTestDatabase());
  }

  /**
   * Starts in a database that outlives it, such as one that the tests of a file use in turn: creating and dropping a
   * database takes 70 ms of a core. Drops all that is in it first.
   */
  static async startIn(database: Pick<TestDatabase, 'url'>, devnet: Devnet): Promise<Recording> {
    return await Recording.prepare(devnet, { url: database.url, drop: () => Promise.resolve() });
  }

  private static async prepare(devnet: Devnet, database: TestDatabase): Promise<Recording> {
    const admin = await connect(database.url);
    const schema = 'DROP SCHEMA public CASCADE; CREATE SCHEMA public';
    await admin.query(`${schema}; ${chainCheckpointTable}; ${tables}`);
    return new Recording(devnet, database, admin);
  }

  /** The same database, after its server was restarted; the earlier recording must not be stopped then. */
  static async reopen({ devnet, database }: Recording): Promise<Recording> {
    return new Recording(devnet, database, await connect(database.url));
  }

  /** Starts a follower from the first block on. */
  follow(options: Partial<BlockFollowerOptions> & { readonly nodes?: Partial<HiveClientOptions> } = {}): Running {
    const { nodes, ...rest } = options;
    const api = new HiveClient({
      urls: this.devnet.urls,
      timeoutMs: 2_000,
      firstPauseMs: 50,
      contradictionPauseMs: 1_000,
      ...nodes,
    });
    this.clients.add(api);
    const events: FollowerEvent[] = [];
    const follower = new BlockFollower({
      api,
      observe: () => this.observer(events),
      database: { url: this.database.url, isUnavailable, isPooled: () => Promise.resolve(false) },
      name: 'test',
      virtualOperations,
      start: () => Promise.resolve(1),
      apply: record,
      pollIntervalMs: 20,
      storageDelayMs: 2_000,
      lockIntervalMs: 50,
      firstPauseMs: 10,
      maxPauseMs: 100,
      ...rest,
    });
    const ending = new AbortController();
    const ended = follower.run(ending.signal);
    // Handled when it is stopped.
    ended.catch(() => undefined);
    const running: Running = {
      follower,
      ended,
      events,
      stop: async () => {
        this.running.delete(running);
        ending.abort();
        await ended;
      },
    };
    this.running.add(running);
    return running;
  }

  private observer(events: FollowerEvent[]): FollowerObserver {
    const record =
      (name: FollowerEvent['name']) =>
      (...args: unknown[]) =>
        void events.push({ name, args });
    return {
      onRole: record('onRole'),
      onApplied: record('onApplied'),
      onRetry: record('onRetry'),
      onUndecodable: record('onUndecodable'),
      onNotCompared: () => {
        this.notCompared += 1;
      },
      onStop: record('onStop'),
    };
  }

  /** Resolves when the last irreversible block is applied. @throws the error of a follower that fails meanwhile */
  async caughtUp(): Promise<void> {
    const { lastIrreversible } = this.devnet.chain;
    await until(async () => {
      for (const { follower, ended } of this.running) if (follower.status().role === 'ended') await ended;
      return (await this.processedBlock()) >= lastIrreversible;
    });
  }

  async processedBlock(name = 'test'): Promise<number> {
    const { rows } = await this.query(`SELECT block_number FROM chain_checkpoint WHERE name = '${name}'`);
    return Number(rows[0]?.['block_number'] ?? 0);
  }

  async recorded(): Promise<Recorded> {
    const blocks = await this.query(`SELECT number || ' ' || id AS line FROM applied_block ORDER BY number`);
    const operations = await this.query(
      `SELECT block || '.' || index || ' ' || type AS line FROM applied_operation ORDER BY block, index`,
    );
    const lines = ({ rows }: { rows: { line?: string }[] }) => rows.map(({ line = '' }) => line);
    return { blocks: lines(blocks), operations: lines(operations) };
  }

  /**
   * All that was recorded of the blocks up to this one, with ids and values: equal if and only if the same was applied.
   */
  async rows(last = Infinity): Promise<readonly string[]> {
    const { rows } = await this.query(
      `SELECT block || ' ' || line AS line FROM (
         SELECT number AS block, -1 AS index, id AS line FROM applied_block
         UNION ALL SELECT block, index, type || ' ' || value FROM applied_operation
       ) AS line WHERE block <= '${last}'::float8 ORDER BY block, index`,
    );
    return rows.map(({ line = '' }) => line);
  }

  /** Deletes the recorded rows and the checkpoints. No follower may run. */
  async reset(): Promise<void> {
    await this.query('TRUNCATE chain_checkpoint, applied_block, applied_operation');
  }

  /** What is to be recorded of the irreversible blocks from `first` on. */
  expected(first = 1, last = this.devnet.chain.lastIrreversible): Recorded {
    const blocks: string[] = [];
    const operations: string[] = [];
    for (let number = first; number <= last; number++) {
      const block = this.devnet.chain.findBlock(number);
      if (!block) throw new RangeError(`there is no block ${number}`);
      blocks.push(`${number} ${block.id}`);
      block.operations
        .filter(({ operation, virtual }) => !virtual || virtualOperations.includes(operation.name))
        .forEach(({ operation }, index) => operations.push(`${number}.${index} ${operation.name}_operation`));
    }
    return { blocks, operations };
  }

  query(sql: string): Promise<{ rows: Record<string, string | undefined>[] }> {
    return this.admin.query(sql);
  }

  /** Ends the connections of followers as an administrator would. */
  async terminateFollowers(): Promise<void> {
    await this.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name LIKE 'waggle-follower%' AND datname = current_database()`,
    );
  }

  async stopFollowers(): Promise<void> {
    await Promise.allSettled([...this.running].map((one) => one.stop()));
    await Promise.all([...this.clients].map((client) => client.close()));
    this.clients.clear();
  }

  async stop(): Promise<void> {
    await this.stopFollowers();
    await this.admin.end();
    await this.database.drop();
  }
}

/** Whether there is no connection to the database, or one was ended: the errors that the tests cause. */
function isUnavailable(error: unknown): boolean {
  if (!types.isNativeError(error)) return false;
  const code: unknown = 'code' in error ? error.code : undefined;
  return (
    (typeof code === 'string' && /^(57P..|57014|08...|53...|25P03|ECONN.*)$/.test(code)) ||
    /Connection terminated|timeout expired|read timeout/.test(error.message)
  );
}

async function connect(url: string): Promise<Client> {
  const admin = new Client({ connectionString: url });
  // A test may end its server.
  admin.on('error', () => undefined);
  await admin.connect();
  return admin;
}

/** Writes the rows that `Recording` reads. */
export async function record(client: ClientBase, blocks: readonly FollowedBlock[]): Promise<void> {
  await client.query(
    `INSERT INTO applied_block SELECT * FROM json_to_recordset($1) AS block (number bigint, id text)`,
    [JSON.stringify(blocks.map(({ number, id }) => ({ number, id })))],
  );
  const operations = blocks.flatMap(({ number, operations }) =>
    operations.map(({ index, type, value }) => ({ block: number, index, type, value })),
  );
  await client.query(
    `INSERT INTO applied_operation
     SELECT * FROM json_to_recordset($1) AS operation (block bigint, index integer, type text, value jsonb)`,
    [JSON.stringify(operations)],
  );
}
