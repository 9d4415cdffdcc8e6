import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Notification } from '@waggle/client/notifications';
import { Devnet, devnetKeys } from '@waggle/devnet';
import {
  findFreePort,
  TcpProxy,
  GuardedProcess,
  Random,
  type TestDatabase,
  until,
  untilApplied,
} from '@waggle/testing';
import { isLong } from '@waggle/testing/long-form';
import { Client } from 'pg';
import { EventClient } from './event-client';
import { freshDatabase } from '../support/index-under-test';

/**
 * The short form cuts all connections and kills a replica; `LONG=true` has one disruption of each kind, and
 * `SECONDS=300 CLIENTS=500 npx jest events-replicas` many. A process costs 1.5 s of CPU time.
 */
const seconds = Number(process.env['SECONDS'] ?? 0);
const isEndurance = seconds > 0;
const clientCount = Number(process.env['CLIENTS'] ?? 20);
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
const replicaCount = isEndurance ? 3 : 2;
const accounts = Array.from({ length: 40 }, (_, number) => `reader-${number}`);

jest.setTimeout(seconds * 1_000 + 240_000);

/** A role of the gateway as it is deployed, which is started again after it ends. */
class Role {
  private current: GuardedProcess | undefined;

  constructor(
    private readonly script: string,
    private readonly environment: Record<string, string>,
  ) {}

  async start(): Promise<void> {
    this.current = await GuardedProcess.start(process.execPath, [path.join(__dirname, '../../dist', this.script)], {
      env: { HOST: '127.0.0.1', LOG_LEVEL: 'error', ...this.environment },
      stopSignal: 'SIGTERM',
      stopTimeoutMs: 30_000,
    });
  }

  async killAndStart(): Promise<void> {
    await this.current?.kill();
    await this.start();
  }

  async stopAndStart(): Promise<void> {
    await this.current?.stop();
    await this.start();
  }

  async stop(): Promise<void> {
    await this.current?.stop();
  }
}

/** In this order, the first disruption of each kind is always possible. */
const kinds = isLong || isEndurance ? (['drain', 'cut', 'kill', 'indexer'] as const) : (['cut', 'kill'] as const);

interface Received {
  readonly client: EventClient;
  readonly accounts: readonly string[];
  readonly types: readonly string[] | undefined;
  readonly begin: bigint;
  readonly notifications: Notification[];
}

describe(`streams of ${replicaCount} replicas, some of which are killed (SEED=${seed})`, () => {
  const random = new Random(seed);
  let devnet: Devnet;
  let database: TestDatabase;
  let ports: number[];
  let replicas: Role[];
  let indexer: Role;
  let balancer: TcpProxy;
  let posts = 0;

  beforeAll(async () => {
    devnet = await Devnet.start({ unsigned: true });
    database = await freshDatabase();
    const environment = { DATABASE_URL: database.url, HIVE_API_NODES: devnet.url };
    ports = await Promise.all(Array.from({ length: replicaCount }, () => findFreePort()));
    const settings = {
      EVENT_STREAMS_PER_ADDRESS: '10000',
      REQUESTS_PER_MINUTE: '1000000000',
      EVENT_POLL_INTERVAL_MS: '50',
      EVENT_HEARTBEAT_SECONDS: '1',
      DRAIN_DELAY_SECONDS: '1',
    };
    replicas = ports.map((port) => new Role('main.js', { ...environment, ...settings, PORT: String(port) }));
    indexer = new Role('indexer.main.js', { ...environment, PORT: '0', POLL_INTERVAL_MS: '50', BLOCKS_PER_BATCH: '4' });
    balancer = await TcpProxy.to(() => ports);
    for (const name of accounts) devnet.createAccount(name);
    devnet.makeIrreversible();
    await Promise.all([...replicas, indexer].map((role) => role.start()));
    await untilApplied(database.url, devnet.chain.lastIrreversible);
  });
  afterAll(async () => {
    await balancer.stop();
    await Promise.all([...replicas, indexer].map((role) => role.stop()));
    await devnet.stop();
    await database.drop();
  });

  async function open(): Promise<Received> {
    const chosen = [...new Set(Array.from({ length: random.below(4) + 1 }, () => random.pick(accounts)))];
    const types = random.chance(0.3) ? ['mention', 'follow'] : undefined;
    const client = new EventClient({
      url: `http://127.0.0.1:${balancer.port}`,
      accounts: chosen,
      ...(types && { types }),
      silenceMs: 5_000,
    });
    const notifications: Notification[] = [];
    client.stream.on('notification', (notification) => notifications.push(notification));
    await client.begun();
    const [, begin = ''] = client.stream.lastEventId?.split('-') ?? [];
    return { client, accounts: chosen, types, begin: BigInt(begin), notifications };
  }

  /** Produces a block with notifications of several types for random accounts. */
  function act(): void {
    const sign = (signer: string, operation: [string, object]) => {
      devnet.chain.include([operation], [devnetKeys(signer).posting.wif]);
    };
    posts += 1;
    const author = random.pick(accounts);
    const permlink = `post-${posts}`;
    const body = Array.from({ length: 8 }, () => `@${random.pick(accounts)}`).join(' ');
    const post = { title: '', body, json_metadata: '', author, permlink };
    sign(author, ['comment', { ...post, parent_author: '', parent_permlink: 'devnet' }]);
    const replier = random.pick(accounts);
    const reply = { ...post, author: replier, permlink: `re-${posts}`, body: 'yes' };
    sign(replier, ['comment', { ...reply, parent_author: author, parent_permlink: permlink }]);
    const json = JSON.stringify(['follow', { follower: replier, following: author, what: ['blog'] }]);
    sign(replier, ['custom_json', { required_auths: [], required_posting_auths: [replier], id: 'follow', json }]);
    devnet.produceBlock();
    devnet.makeIrreversible();
  }

  /** @returns every notification in the order of its id */
  async function readAll(): Promise<{ id: bigint; account: string; type: string }[]> {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query<{ id: string; account: string; type: string }>(
      `SELECT n.id, a.name AS account, (ARRAY['reply', 'reply_comment', 'reblog', 'follow', 'mention'])[((n.id >> 22) & 63) - 11] AS type
       FROM notification n JOIN account a ON a.id = n.recipient_id ORDER BY n.id`,
    );
    await client.end();
    return rows.map(({ id, ...rest }) => ({ id: BigInt(id), ...rest }));
  }

  it(`deliver every notification to ${clientCount} clients once and in order`, async () => {
    const streams = await Promise.all(Array.from({ length: clientCount }, () => open()));
    const ticker = setInterval(act, 100);
    const restarts: Promise<void>[] = [];
    const disruptions = { drain: 0, cut: 0, kill: 0, indexer: 0 };
    const endMs = performance.now() + seconds * 1_000;
    const busy = new Set<Role>();
    const disturb = (role: Role, restart: () => Promise<void>) => {
      busy.add(role);
      restarts.push(restart().finally(() => busy.delete(role)));
    };
    for (let turn = 0; turn < kinds.length || performance.now() < endMs; turn += 1) {
      await pause(300 + random.below(700));
      const [replica] = random.sample(
        replicas.filter((each) => !busy.has(each)),
        1,
      );
      const disruption = kinds[turn] ?? random.pick(kinds);
      if (disruption === 'cut') {
        balancer.cut();
        disruptions.cut += 1;
      } else if (disruption === 'indexer' && !busy.has(indexer)) {
        disturb(indexer, () => indexer.killAndStart());
        disruptions.indexer += 1;
      } else if (disruption === 'kill' && replica !== undefined) {
        disturb(replica, () => replica.killAndStart());
        disruptions.kill += 1;
      } else if (disruption === 'drain' && replica !== undefined && busy.size === 0) {
        disturb(replica, () => replica.stopAndStart());
        disruptions.drain += 1;
      }
    }
    clearInterval(ticker);
    await Promise.all(restarts);
    for (const kind of kinds) expect([kind, disruptions[kind]]).not.toEqual([kind, 0]);
    await untilApplied(database.url, devnet.chain.head.number);
    const all = await readAll();
    let events = 0;
    for (const { client, begin, types, notifications, ...stream } of streams) {
      const expected = all
        .filter(
          ({ id, account, type }) => id > begin && stream.accounts.includes(account) && (types?.includes(type) ?? true),
        )
        .map(({ id, account, type }) => ({ id: Number(id), account, type }));
      await until(() => notifications.length >= expected.length);
      expect(notifications.map(({ id, account, type }) => ({ id, account, type }))).toEqual(expected);
      expect([client.resets, client.ended]).toEqual([[], undefined]);
      events += expected.length;
    }
    expect(events).toBeGreaterThan(clientCount);
    const connections = streams.reduce((sum, { client }) => sum + client.connections, 0);
    expect(connections).toBeGreaterThan(clientCount);
    if (isEndurance)
      process.stdout.write(`${JSON.stringify({ seconds, clientCount, ...disruptions, connections, events })}\n`);
    for (const { client } of streams) client.stream.close();
  });
});
