import { onEndSignal } from './end-signals';
import { type Logger } from '../observability/logging';
import { type ErrorBody } from '../errors/rest-error-body';
import { type Dependency, AwaitedDependency } from '../observability/awaited-dependency';
import { openStartupServer } from './startup-server';

interface WaitOptions {
  logger: Logger;
  host: string;
  port: number;
  /** Creates the body of REST errors; by default the common one. */
  errorBody?: ErrorBody;
}

/**
 * Resolves when every dependency responded once. Until then it serves the health checks at the address of the service,
 * live and not ready, and logs missing dependencies every 10 s. SIGTERM and SIGINT end the process at once, until
 * `serve` drains it.
 *
 * @throws Error if the address is taken
 */
export async function waitForDependencies(
  dependencies: readonly Dependency[],
  { logger, host, port, errorBody = (body) => body }: WaitOptions,
): Promise<void> {
  onEndSignal(() => process.exit(0));
  const startMs = performance.now();
  const awaited = dependencies.map((dependency) => new AwaitedDependency(dependency, logger));
  await Promise.allSettled(awaited.map(({ check }) => check()));
  if (awaited.every(({ hasResponded }) => hasResponded)) return;
  const stateOf = ({ hasResponded }: AwaitedDependency) => (hasResponded ? 'up' : 'down');
  const checks = () => Object.fromEntries(awaited.map((each) => [each.name, stateOf(each)] as const));
  const closeServer = await openStartupServer(host, port, { checks, errorBody });
  try {
    await Promise.all(awaited.map((dependency) => dependency.wait()));
  } finally {
    await closeServer();
  }
  logger.info({ waitedMs: Math.round(performance.now() - startMs) }, 'all dependencies respond');
}
