import path from 'node:path';
import { checkNodes } from '@waggle/chain';
import { Devnet } from '@waggle/devnet';
import { GuardedProcess, type TestDatabase, until } from '@waggle/testing';
import { indexerProbes } from '../../src/indexer/node-probes';
import { freshDatabase } from '../support/delegation-under-test';

const list = 'database_api.list_vesting_delegations';
const returns = 'database_api.list_vesting_delegation_expirations';

describe('the check of nodes', () => {
  let devnet: Devnet;
  let database: TestDatabase | undefined;
  beforeEach(async () => {
    devnet = await Devnet.start({ nodes: ['hived', 'haf', 'hived-1.25'], unsigned: true });
    devnet.delegate('alice', 'bob', '5000.000000 VESTS');
    devnet.makeIrreversible();
  });
  afterEach(async () => {
    await devnet.stop();
    await database?.drop();
    database = undefined;
  });

  it('accepts the lists of every version of hived, and rejects a node without lists', async () => {
    const [, haf] = devnet.nodes;
    haf?.misbehave({ error: { code: -32003, message: 'limit not set or too big' }, onlyMethods: [list] });
    const reports = await checkNodes(devnet.urls, indexerProbes);
    expect(
      reports.map(({ methods }) => methods.filter(({ probe }) => probe.method === list).map(({ verdict }) => verdict)),
    ).toEqual([['works'], ['fails'], ['differs']]);
  });

  it('is logged once when the indexer starts, a line for each node and one for what too few serve', async () => {
    database = await freshDatabase();
    for (const node of devnet.nodes)
      node.misbehave({ error: { code: -32003, message: 'limit not set or too big' }, onlyMethods: [returns] });
    const main = path.join(__dirname, '../../dist/indexer.main.js');
    const lines: string[] = [];
    const indexer = await GuardedProcess.start(process.execPath, [main], {
      env: { HOST: '127.0.0.1', PORT: '0', DATABASE_URL: database.url, HIVE_API_NODES: devnet.urls.join() },
      ...{ stopSignal: 'SIGTERM', stopTimeoutMs: 30_000 },
      onLine: (line) => lines.push(line),
    });
    try {
      const reports = () => lines.filter((line) => line.includes('"msg":"Hive node checked"'));
      await until(() => reports().length === 3);
      expect(reports().map((line): unknown => JSON.parse(line))).toMatchObject(
        ['1.28.6', '1.28.6', '1.25.0'].map((version, index) => ({
          level: 'info',
          node: new URL(devnet.urls[index] ?? '').host,
          version,
          methods: {
            [`${list} (current state)`]: expect.stringContaining(index === 2 ? 'differs' : 'works') as unknown,
          },
        })),
      );
      expect(reports()[1]).toContain('HAfAH');
      const summary = () => lines.find((line) => line.includes('too few Hive nodes'));
      await until(() => summary() !== undefined);
      expect(JSON.parse(summary() ?? '')).toMatchObject({
        level: 'info',
        unmet: [
          `delegation-indexer: an empty index cannot start with START_FROM=current-state: no node serves ${returns}`,
        ],
      });
    } finally {
      await indexer.stop();
    }
  });
});
