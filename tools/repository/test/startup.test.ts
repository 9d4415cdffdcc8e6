import path from 'node:path';
import { findFreePort, GuardedProcess, until } from '@waggle/testing';
import { isLong } from '@waggle/testing/long-form';

const apps = path.resolve(__dirname, '../../../apps');

/** In the long form all that need PostgreSQL; a process costs 1.6 s of CPU time. */
const scripts = [
  ...['chat/dist/main.js', 'delegation/dist/indexer.main.js', 'rpc-gateway/dist/main.js'],
  ...(isLong ? ['delegation/dist/main.js', 'rpc-gateway/dist/indexer.main.js'] : []),
];

it.each(scripts)('%s starts without PostgreSQL, is live but not ready, and ends on SIGTERM', async (script) => {
  const [port, closedPort] = [await findFreePort(), await findFreePort()];
  const service = await GuardedProcess.start(process.execPath, [path.join(apps, script)], {
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: `postgres://user@127.0.0.1:${closedPort}/nothing`,
      HIVE_API_NODES: `http://127.0.0.1:${closedPort}`,
      HOST: '127.0.0.1',
      PORT: String(port),
    },
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 10_000,
  });
  try {
    const get = (name: string) => fetch(`http://127.0.0.1:${port}/health/${name}`);
    await until(async () => {
      if (service.endedWith !== undefined) throw new Error(service.lastLines.join('\n'));
      return get('live').then(
        ({ status }) => status === 200,
        () => false,
      );
    });
    const ready = await get('ready');
    expect([ready.status, await ready.json()]).toMatchObject([503, { ready: false, checks: { database: 'down' } }]);
    expect(service.lastLines.join('\n')).toContain('waiting for a dependency to respond');
  } finally {
    expect(await service.stop()).toEqual({ code: 0, signal: null });
  }
});
