import { DataSource, type DataSourceOptions } from 'typeorm';
import { z } from 'zod';
import { runMain } from '../application';
import { databaseUrl, loadConfiguration } from '../configuration';

/** @throws Error when the database lacks a migration that this version of the service needs. */
export async function requireMigrated(dataSource: DataSource, service: string): Promise<void> {
  if (await dataSource.showMigrations()) {
    throw new Error(
      `The database lacks migrations of this version: run \`npx nx run ${service}:migrate\` (or \`node dist/migrate.js\`) first.`,
    );
  }
}

/** Brings the schema up to date; every migration in a transaction of its own. @returns the names of those that were run */
export async function migrate(options: DataSourceOptions): Promise<string[]> {
  const dataSource = new DataSource(options);
  await dataSource.initialize();
  try {
    const done = await dataSource.runMigrations({ transaction: 'each' });
    return done.map((migration) => migration.name);
  } finally {
    await dataSource.destroy();
  }
}

/** The command that migrates: `DATABASE_URL=… node dist/migrate.js`. */
export function runMigrate(migrateUrl: (url: string) => Promise<string[]>): void {
  runMain(async () => {
    const { DATABASE_URL } = loadConfiguration(z.object({ DATABASE_URL: databaseUrl }), process.env);
    const done = await migrateUrl(DATABASE_URL);
    console.log(done.length > 0 ? `ran ${done.join(', ')}` : 'nothing to migrate');
  });
}
