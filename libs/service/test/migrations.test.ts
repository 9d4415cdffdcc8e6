import { type PostgresServer, startPostgres } from '@waggle/testing';
import { databaseOptions, migrate } from '../src';

/** Pauses between reading and writing, as with a large table. */
class Make1 {
  readonly name = 'Make1764000000000';
  up(runner: { query: (sql: string) => Promise<unknown> }) {
    return runner.query('SELECT pg_sleep(0.5); CREATE TABLE made ()');
  }
  down() {
    return Promise.resolve();
  }
}

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres({ dataDir: 'temporary' });
});
afterAll(() => postgres.stop());

it('runs each migration once if several processes start at once', async () => {
  const options = () =>
    databaseOptions(
      { url: postgres.url(), poolSize: 2, isMigration: true },
      { service: 'test', entities: [], migrations: [Make1] },
    );
  const done = await Promise.all([migrate(options()), migrate(options()), migrate(options())]);
  expect(done.flat()).toEqual(['Make1764000000000']);
  expect(await migrate(options())).toEqual([]);
});
