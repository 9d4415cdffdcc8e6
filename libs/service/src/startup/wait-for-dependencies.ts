import { setTimeout as pause } from 'node:timers/promises';
import { type Logger } from '../logging';
import { kindOfError, ThrottledLog } from '../throttled-log';
import { StartupServer } from './startup-server';

/** A server that a service cannot start without. */
export interface Dependency {
  /** As in the report of `/health/ready`. */
  readonly name: string;
  /** Resolves if the server responds, even with an error; otherwise rejects with the reason, within seconds. */
  readonly check: () => Promise<void>;
}

/** Pause between two checks, in milliseconds. */
const retryPauseMs = 500;

interface Failure {
  dependency: string;
  error: unknown;
}

/**
 * Resolves when every dependency has responded once. Until then it serves the health checks at the address of the
 * service, live and not ready, logs missing dependencies every 10 s, and exits on SIGTERM and SIGINT.
 *
 * @throws Error if the address is taken
 */
export async function waitForDependencies(
  dependencies: readonly Dependency[],
  { logger, host, port }: { logger: Logger; host: string; port: number },
): Promise<void> {
  const startMs = performance.now();
  const missing = new Set(dependencies);
  const failures = new ThrottledLog<Failure>(
    (leftOut, { dependency, error }) => {
      logger.warn({ dependency, leftOut, reason: kindOfError(error).trim() }, 'waiting for a dependency to respond');
    },
    { kindOf: ({ dependency, error }) => `${dependency} ${kindOfError(error)}` },
  );
  const probe = async (dependency: Dependency) => {
    try {
      await dependency.check();
      missing.delete(dependency);
    } catch (error) {
      failures.log({ dependency: dependency.name, error });
    }
  };
  const stateOf = (dependency: Dependency) => (missing.has(dependency) ? 'down' : 'up');
  const report = () => Object.fromEntries(dependencies.map((each) => [each.name, stateOf(each)] as const));

  await Promise.all(dependencies.map(probe));
  if (missing.size === 0) return;
  const server = await StartupServer.listen(host, port, report);
  // Node as process 1 of a container ignores these signals by default.
  const end = () => process.exit(0);
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  try {
    while (missing.size > 0) {
      await pause(retryPauseMs);
      await Promise.all([...missing].map(probe));
    }
  } finally {
    process.off('SIGTERM', end);
    process.off('SIGINT', end);
    await server.close();
  }
  logger.info({ waitedMs: Math.round(performance.now() - startMs) }, 'all dependencies respond');
}
