import { z } from 'zod';
import { databaseUrl, loadConfiguration } from '../configuration';
import { runMain } from './run-main';

/** Runs the migration command: `DATABASE_URL=… node dist/migrate.js`. */
export function runMigrate(migrateUrl: (url: string) => Promise<string[]>): void {
  // Node as process 1 of a container ignores SIGTERM by default. Uncommitted changes are rolled back.
  process.once('SIGTERM', () => process.exit(143));
  runMain(async () => {
    const { DATABASE_URL } = loadConfiguration(z.object({ DATABASE_URL: databaseUrl }), process.env);
    const done = await migrateUrl(DATABASE_URL);
    console.log(done.length > 0 ? `ran ${done.join(', ')}` : 'nothing to migrate');
  });
}
