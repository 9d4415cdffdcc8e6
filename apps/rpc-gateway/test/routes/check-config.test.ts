import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { type TestDatabase } from '@waggle/testing';
import { isLong } from '@waggle/testing/long-form';
import { Client } from 'pg';
import { followerName, initializeIndexState } from '../../src/index-state/index-state';
import { freshDatabase } from '../support/index-under-test';
import { ScriptedNode } from '../support/scripted-node';

const main = path.join(__dirname, '../../dist/check-config.main.js');

/** The output without its padding. */
const checkConfig = async (environment: Record<string, string>) => {
  const env = { PATH: process.env['PATH'], ...environment };
  const { stdout } = await promisify(execFile)(process.execPath, [main], { env });
  return stdout.split('\n').map((line) => line.replace(/ +/g, ' '));
};

describe('gateway:check-config', () => {
  let node: ScriptedNode;
  let database: TestDatabase;
  beforeAll(async () => {
    node = await ScriptedNode.start();
    database = await freshDatabase();
  });
  afterAll(async () => {
    await database.drop();
    await node.stop();
  });

  it('reports that it needs a database to determine which methods are local', async () => {
    const lines = await checkConfig({});
    expect(lines).toContain('bridge.get_community local 5s hive');
    expect(lines).toContain('Which methods are local at the moment is not checked: DATABASE_URL is not set.');
  });

  it('prints which methods are currently local, and why the others are not', async () => {
    const environment = { DATABASE_URL: database.url, HIVE_API_NODES: node.url };
    // Another process.
    if (isLong)
      expect(await checkConfig(environment)).toContain(
        'bridge.get_community hive The index is empty: the indexer has not applied a block.',
      );

    const client = new Client({ connectionString: database.url });
    await client.connect();
    await initializeIndexState(client, {
      begins: new Date(0),
      notificationsFrom: new Date(0),
      firstBlock: 1,
      notificationDays: 30,
    });
    await client.query(
      `INSERT INTO chain_checkpoint (name, block_number, block_id, block_time, applied_at) VALUES ($1, 979, '', now(), now())`,
      [followerName],
    );
    await client.query(
      `UPDATE index_state SET notifications_from = '2025-01-15T12:30:45Z'::timestamptz + interval '10 years'`,
    );
    await client.end();
    node.headScript = () => ({
      head_block_number: 1_000,
      head_block_id: `000003e8${'0'.repeat(32)}`,
      time: '2025-01-15T12:30:45',
      last_irreversible_block_num: 980,
    });
    const lines = await checkConfig(environment);
    expect(lines).toContain('index: block 979, 3 s behind the last irreversible block');
    expect(lines).toContain('bridge.get_community index');
    expect(lines).toContain('bridge.list_muted_reasons_enum no index It does not read the index.');
    expect(lines).toContain(
      'bridge.unread_notifications hive The index has notifications since 2035-01-15T12:30:45Z; 90 days are needed (NOTIFICATION_DAYS).',
    );
  });
});
