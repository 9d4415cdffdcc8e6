import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { type PoolClient } from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { isPooled } from './server-timeouts';
import { poolOf } from './pool';
import * as sql from './sql-types';
import { Statement } from './statement';

/** Interval at which a waiting process tries to get the lock, in milliseconds. */
const lockPollIntervalMs = 250;

const tryLock = new Statement({
  name: 'lock-migrations',
  text: `SELECT pg_try_advisory_lock(hashtextextended('waggle migrations', 0)) AS locked`,
  parameters: {},
  columns: { locked: sql.notNull(sql.bool) },
});

/** @throws Error if the database lacks a migration of this version. */
export async function requireMigrated(dataSource: DataSource, service: string): Promise<void> {
  if (await dataSource.showMigrations()) {
    throw new Error(
      `The database lacks migrations of this version: run \`npx nx run ${service}:migrate\` (or \`node dist/migrate.main.js\`) first.`,
    );
  }
}

/**
 * Runs the pending migrations, each in a transaction. A second process waits for the first. @returns the names of the
 * migrations that were run
 */
export async function migrate(options: DataSourceOptions): Promise<string[]> {
  const dataSource = new DataSource(options);
  await dataSource.initialize();
  try {
    const holder = await poolOf(dataSource).connect();
    try {
      await lockMigrations(holder);
      const done = await dataSource.runMigrations({ transaction: 'each' });
      return done.map((migration) => migration.name);
    } finally {
      // The lock ends with its connection.
      holder.release(true);
    }
  } finally {
    await dataSource.destroy();
  }
}

/**
 * Takes a lock that lasts as long as the connection, since TypeORM takes none. It polls, because a waiting statement
 * would hold a snapshot that `CREATE INDEX CONCURRENTLY` of the other process waits for. Migrations should not run
 * behind a pooler; there the lock would stay on a shared connection, so it is not taken.
 */
async function lockMigrations(holder: PoolClient): Promise<void> {
  if (await isPooled(holder)) return;
  for (let attempt = 0; ; attempt += 1) {
    const lock = await tryLock.find(holder, {});
    if (lock?.locked === true) return;
    if (attempt === 0) Logger.log('waiting for another migration to end', 'database');
    await pause(lockPollIntervalMs);
  }
}
