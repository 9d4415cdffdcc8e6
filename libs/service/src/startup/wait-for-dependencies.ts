import { type Logger } from '../logging';
import { type Dependency, FirstResponse } from './first-response';
import { StartupServer } from './startup-server';

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
  const responses = dependencies.map((dependency) => new FirstResponse(dependency, logger));
  await Promise.allSettled(responses.map(({ check }) => check()));
  if (responses.every(({ hasResponded }) => hasResponded)) return;
  const stateOf = ({ hasResponded }: FirstResponse) => (hasResponded ? 'up' : 'down');
  const report = () => Object.fromEntries(responses.map((each) => [each.name, stateOf(each)] as const));
  const server = await StartupServer.listen(host, port, report);
  // Node as process 1 of a container ignores these signals by default.
  const end = () => process.exit(0);
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  try {
    await Promise.all(responses.map((response) => response.wait()));
  } finally {
    process.off('SIGTERM', end);
    process.off('SIGINT', end);
    await server.close();
  }
  logger.info({ waitedMs: Math.round(performance.now() - startMs) }, 'all dependencies respond');
}
