import { z } from 'zod';
import { ConfigurationError, loadConfiguration } from '../configuration';
import { isDatabaseUnavailable } from '../database/database-errors';
import { databaseUrl } from '../variables';

/** Runs a `main`. If it fails, prints the reason, in one line if an operator can fix it, and exits with 1. */
export function runMain(main: () => Promise<void>): void {
  main().catch((error: unknown) => {
    console.error(failureText(error));
    process.exit(1);
  });
}

/** Returns why a `main` failed, in one line if an operator can fix it. */
export function failureText(error: unknown): string {
  if (error instanceof ConfigurationError) return error.message;
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
    return `${error.message}: the port is taken; set PORT to a free one.`;
  if (isDatabaseUnavailable(error)) return `The database is not available: ${reasonOf(error)}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** The message of an error. An `AggregateError`, as for a host with several addresses, has no message. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ');
  return error instanceof Error ? error.message : String(error);
}

/** Runs the migration command: `DATABASE_URL=… node dist/migrate.main.js`. */
export function runMigrate(migrateUrl: (url: string) => Promise<string[]>): void {
  // Node as process 1 of a container ignores SIGTERM by default. Uncommitted changes are rolled back.
  process.once('SIGTERM', () => process.exit(143));
  runMain(async () => {
    const { DATABASE_URL } = loadConfiguration(z.object({ DATABASE_URL: databaseUrl }), process.env);
    const done = await migrateUrl(DATABASE_URL);
    console.log(done.length > 0 ? `ran ${done.join(', ')}` : 'nothing to migrate');
  });
}
