import { Client } from 'pg';
import { createTemplate, createTestDatabase } from '@waggle/testing';

it('finds a server by the environment', async () => {
  const template = await createTemplate('empty', () => Promise.resolve());
  const { url, drop } = await createTestDatabase(template);
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ pid: string }>(
    `SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1) AS pid`,
  );
  await client.end();
  await drop();
  process.stderr.write(`servers: ${rows[0]?.pid ?? ''} ${process.env['TEST_REDIS_URL'] ?? ''}\n`);
  if (process.env['HANG'] === 'yes') await new Promise(() => setInterval(() => undefined, 1_000_000));
});
