import { setTimeout as pause } from 'node:timers/promises';
import { inTransaction, withstandBreaks } from '@waggle/service';
import { startPostgres, provideDatabase, until } from '@waggle/testing';
import { Pool } from 'pg';
import { QueuePool } from '../src/messages/queue-pool';

it('pools serve on after the server has gone again and again, in the midst of whatever was done', async () => {
  const postgres = await startPostgres({ dataDir: 'temporary' });
  const pool = new Pool({ connectionString: await provideDatabase(postgres, 'pools'), max: 10 });
  withstandBreaks(pool);
  const queuePool = new QueuePool(pool, 2);
  let isOver = false;
  let served = 0;
  const keepAt = async (work: () => Promise<unknown>) => {
    while (!isOver) {
      await work().then(
        () => (served += 1),
        () => pause(2),
      );
    }
  };
  const working = Promise.all([
    ...Array.from({ length: 3 }, () => keepAt(() => queuePool.query('SELECT 1'))),
    ...Array.from({ length: 6 }, () =>
      keepAt(() =>
        inTransaction(pool, async (client) => {
          await client.query('SELECT 1');
          await new Promise(setImmediate);
          await client.query('SELECT 2');
        }),
      ),
    ),
  ]);
  try {
    for (let round = 0; round < 8; round += 1) {
      const before = served;
      await until(() => served >= before + 100);
      await postgres.restart();
    }
  } finally {
    isOver = true;
    await working;
    await queuePool.end();
    await pool.end();
    await postgres.stop();
  }
}, 180_000);
