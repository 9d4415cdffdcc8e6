import path from 'node:path';
import { Devnet } from '@waggle/devnet';
import { GuardedProcess, TraceCollector } from '@waggle/testing';
import { freshDatabase } from '../support/delegation-under-test';

it('traces each batch of blocks that the indexer applies, with its statements', async () => {
  const devnet = await Devnet.start({ unsigned: true });
  const database = await freshDatabase();
  const collector = await TraceCollector.start();
  devnet.delegate('alice', 'bob', '5000.000000 VESTS');
  devnet.makeIrreversible();
  const indexer = await GuardedProcess.start(process.execPath, [path.join(__dirname, '../../dist/indexer.main.js')], {
    env: {
      HOST: '127.0.0.1',
      PORT: '0',
      DATABASE_URL: database.url,
      HIVE_API_NODES: devnet.url,
      START_FROM: 'first-block',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      // Export delay in milliseconds.
      OTEL_BSP_SCHEDULE_DELAY: '50',
    },
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 30_000,
  });
  try {
    const commit = await collector.next(({ attributes }) => attributes['db.query.text'] === 'COMMIT');
    const batch = await collector.next(({ spanId }) => spanId === commit.parentSpanId);
    expect(batch).toMatchObject({ name: 'apply blocks', service: 'delegation-indexer' });
    expect(batch.parentSpanId).toBeUndefined();
  } finally {
    await indexer.stop();
    await collector.stop();
    await devnet.stop();
    await database.drop();
  }
});
