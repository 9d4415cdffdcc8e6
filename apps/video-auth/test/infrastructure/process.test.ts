import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { videoAuthErrorBody } from '@waggle/contracts';
import { Devnet, recentGenesisTime } from '@waggle/devnet';
import { createTestDatabase, findFreePort, startPostgres, startRedis, type TestDatabase, until } from '@waggle/testing';
import { longTest } from '@waggle/testing/long-form';
import { Client } from 'pg';
import { migrate } from '../../src/database';
import { keysCommand } from '../../src/tokens/keys-command';
import { VideoAuthProcess, runScript } from '../support/video-auth-process';
import { freshDatabase } from '../support/video-auth-under-test';
import { loginBody, loginPath } from '../support/video-auth-client';

describe('the video log-in as a process', () => {
  let devnet: Devnet;
  let database: TestDatabase;
  let environment: Record<string, string>;
  const folder = mkdtempSync(path.join(tmpdir(), 'video-auth-process-'));
  const keysFile = path.join(folder, 'token-keys.json');
  beforeAll(async () => {
    // With live blocks, its head stays recent however long the tests take.
    devnet = await Devnet.start({ genesisTime: recentGenesisTime(), blockIntervalMs: 3_000 });
    database = await freshDatabase();
    environment = { DATABASE_URL: database.url, HIVE_API_NODES: devnet.url };
  });
  afterAll(async () => {
    await devnet.stop();
    await database.drop();
    rmSync(folder, { recursive: true });
  });

  it('logs once what its nodes respond to its calls, and finishes requests before it exits; after a restart it waits for its servers, and accepts its tokens', async () => {
    await keysCommand(['make', keysFile], new Date());
    const [postgres, redis] = await Promise.all([startPostgres({ dataDir: 'temporary' }), startRedis()]);
    try {
      await migrate(postgres.url());
      const port = String(await findFreePort());
      const withServers = {
        ...{ ...environment, PORT: port, TOKEN_KEYS_FILE: keysFile },
        ...{ DATABASE_URL: postgres.url(), REDIS_URL: redis.url },
      };
      const firstLines: string[] = [];
      const first = await VideoAuthProcess.start(withServers, (line) => firstLines.push(line));
      const checks = () => firstLines.filter((line) => line.includes('"msg":"Hive node checked"'));
      await until(() => checks().length > 0);
      const token = await first.logIn('alice');
      devnet.node.misbehave({ slowMs: 300 });
      const callsBefore = devnet.node.calls.get('database_api.find_accounts') ?? 0;
      const begun = first.post(loginPath, loginBody('bob'));
      await until(() => devnet.node.calls.get('database_api.find_accounts') !== callsBefore);
      expect(await first.process.stop()).toEqual({ code: 0, signal: null });
      expect((await begun).status).toBe(201);
      devnet.node.behave();
      // It has logged once what its nodes respond to its calls.
      expect(checks().map((line): unknown => JSON.parse(line))).toEqual([
        expect.objectContaining({
          level: 'info',
          node: new URL(devnet.url).host,
          methods: {
            'database_api.get_dynamic_global_properties (head of the chain)': expect.stringMatching(/^works \d+ ms$/),
            'database_api.find_accounts (log-ins)': expect.stringMatching(/^works \d+ ms$/),
          },
        }),
      ]);

      await Promise.all([postgres.kill(), redis.kill(), devnet.node.kill()]);
      const lines: string[] = [];
      const starting = VideoAuthProcess.start(withServers, (line) => lines.push(line));
      for (const dependency of ['database', 'redis'])
        await until(() => lines.some((line) => line.includes(`"dependency":"${dependency}"`)));
      await until(async () => {
        const early = await fetch(`http://127.0.0.1:${port}/api/v1/auth/check`).catch(() => undefined);
        if (early === undefined) return false;
        expect(early.status).toBe(503);
        expect(videoAuthErrorBody.parse(await early.json())).toMatchObject({ errorType: 'UNAVAILABLE' });
        return true;
      });
      await Promise.all([postgres.start(), redis.start()]);
      const service = await starting;
      const ready = await service.get('/health/ready');
      expect([ready.status, await ready.json()]).toMatchObject([
        503,
        { checks: { database: 'up', redis: 'up', hive: 'down' } },
      ]);
      await until(() => lines.some((line) => line.includes('"dependency":"hive"')));
      expect((await service.get('/.well-known/jwks.json')).status).toBe(200);
      await devnet.node.revive();
      await until(async () => (await service.get('/health/ready')).status === 200);
      expect(await service.isGood(token)).toBe(true);
      await service.logIn('alice');
      expect(lines.filter((line) => /"(error|fatal)"|\bat .*\.js:/.test(line))).toEqual([]);
      expect(await service.process.stop()).toEqual({ code: 0, signal: null });
    } finally {
      await Promise.all([postgres.stop(), redis.stop()]);
    }
  });

  it('reports all configuration errors, without secrets', async () => {
    const faulty = await runScript('main.js', [], {
      DATABASE_URL: 'mysql://user:s3cret@db',
      PORT: 'http',
      TOKEN_KEYS: '{"current":"s3cret"}',
      REQUIRE_CHALLENGE: 's3cret',
    });
    expect(await faulty.ended).toEqual({ code: 1, signal: null });
    const output = faulty.lastLines.join('\n');
    for (const variable of ['DATABASE_URL', 'PORT', 'HIVE_API_NODES', 'TOKEN_KEYS', 'REQUIRE_CHALLENGE']) {
      expect(output).toContain(`${variable}:`);
    }
    expect(output).not.toContain('s3cret');
  });

  it('requires migrations, which its command runs', async () => {
    const empty = await createTestDatabase();
    const withEmpty = { ...environment, DATABASE_URL: empty.url };
    const unmigrated = await runScript('main.js', [], { ...withEmpty, PORT: '0' });
    expect(await unmigrated.ended).toEqual({ code: 1, signal: null });
    expect(unmigrated.lastLines.join('\n')).toContain('run `npx nx run video-auth:migrate`');

    const migration = await runScript('migrate.js', [], withEmpty);
    expect(await migration.ended).toEqual({ code: 0, signal: null });
    expect(migration.lastLines).toEqual(['ran CreateVideoAuth1795400000000']);
    await empty.drop();
  });

  // Another process.
  longTest('aborts migrations on SIGTERM, even while they wait for another process', async () => {
    const empty = await createTestDatabase();
    const other = new Client({ connectionString: empty.url });
    await other.connect();
    await other.query(`SELECT pg_advisory_lock(hashtextextended('waggle migrations', 0))`);
    const migration = await runScript('migrate.js', [], { DATABASE_URL: empty.url });
    await until(() => migration.lastLines.some((line) => line.includes('waiting for another migration')));
    expect(await migration.stop()).toEqual({ code: 143, signal: null });
    await other.end();
    await empty.drop();
  });

  it('explains why keys are not rotated', async () => {
    const file = path.join(folder, 'new-token-keys.json');
    await keysCommand(['make', file], new Date());
    const command = await runScript('keys.main.js', ['rotate', file]);
    expect(await command.ended).toEqual({ code: 1, signal: null });
    expect(command.lastLines).toEqual([expect.stringMatching(/^the next key has been published for \d+ s only/)]);
  });
});
