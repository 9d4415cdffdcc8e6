import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { type PoolClient } from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { z } from 'zod';
import { runMain } from '../application';
import { databaseUrl, loadConfiguration } from '../configuration';
import { isPooled } from './server-limits';
import { poolOf } from './pool';

/** How often one that waits for another's migrations attempt whether they are over. */
const lockPollIntervalMs = 250;

/** @throws Error when the database lacks a migration that this version of the service needs. */
export async function requireMigrated(dataSource: DataSource, service: string): Promise<void> {
  if (await dataSource.showMigrations()) {
    throw new Error(
      `The database lacks migrations of this version: run \`npx nx run ${service}:migrate\` (or \`node dist/migrate.js\`) first.`,
    );
  }
}

/**
 * Brings the schema up to date; every migration in a transaction of its own. Where two are started at once, the second waits,
 * and finds nothing to do. @returns the names of those that were run
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
 * Holds what TypeORM does not lock, for as long as the connection lives. It is asked for again and again: a statement that waited
 * would hold a snapshot, and `CREATE INDEX CONCURRENTLY` of the other waits for those. Behind a pooler, where migrations do not
 * belong, the lock would stay with a connection that others get, so there is none.
 */
async function lockMigrations(holder: PoolClient): Promise<void> {
  if (await isPooled(holder)) return;
  for (let attempt = 0; ; attempt += 1) {
    const { rows } = await holder.query<{ locked: boolean }>(
      `SELECT pg_try_advisory_lock(hashtextextended('waggle migrations', 0)) AS locked`,
    );
    if (rows[0]?.locked === true) return;
    if (attempt === 0) Logger.log('another migration runs: waiting for its end', 'database');
    await pause(lockPollIntervalMs);
  }
}

/** The command that migrates: `DATABASE_URL=… node dist/migrate.js`. */
export function runMigrate(migrateUrl: (url: string) => Promise<string[]>): void {
  // As process 1 of a container Node would go on. What is not committed is undone.
  process.once('SIGTERM', () => process.exit(143));
  runMain(async () => {
    const { DATABASE_URL } = loadConfiguration(z.object({ DATABASE_URL: databaseUrl }), process.env);
    const done = await migrateUrl(DATABASE_URL);
    console.log(done.length > 0 ? `ran ${done.join(', ')}` : 'nothing to migrate');
  });
}
