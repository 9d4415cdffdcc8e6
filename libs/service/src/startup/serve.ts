import { lookup } from 'node:dns/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { onEndSignal } from './end-signals';
import { type Logger } from '../observability/logging';
import { OpenConnections } from '../http/open-connections';
import { type Readiness } from '../observability/readiness';
import { tracing } from '../tracing/tracing';

export interface Lifecycle {
  logger: Logger;
  readiness: Readiness;
  host: string;
  port: number;
  /**
   * Time that the service continues to serve after SIGTERM, until load balancers stop routing to it and clients close
   * their keep-alive connections. 0 by default, for processes that only the cluster calls.
   */
  drainDelayMs?: number;
  /**
   * Maximum time after the delay until the process exits anyway, with 1; 35 s by default. Apart from downloads, the
   * longest request is a write of the gateway, 30 s.
   */
  drainLimitMs?: number;
}

const defaultDrainLimitMs = 35_000;
/** The last part of the drain limit, for closing database connections after the requests, in milliseconds. */
const closingReserveMs = 2_000;
/** Time after which a draining process closes connections that never sent a request, in milliseconds. */
const unusedGraceMs = 10_000;

/** Signals within this time are one Ctrl-C, in milliseconds: the terminal and npm both send it. */
const oneInterruptMs = 1_000;
/** The exit code of a shell for a process that SIGINT ended. */
const interruptedCode = 130;

/**
 * Listens, and drains on SIGTERM or SIGINT: becomes unready, finishes its requests and exits. SIGINT skips the delay,
 * since a person is waiting, and a second one ends the process at once, with 130. Otherwise the exit code is 0, and 1
 * in three cases: a connection was closed before its responses were sent, closing failed, or the limit passed.
 */
export async function serve(app: NestFastifyApplication, lifecycle: Lifecycle): Promise<void> {
  const { logger, readiness, host, port, drainDelayMs = 0, drainLimitMs = defaultDrainLimitMs } = lifecycle;
  const openConnections = new OpenConnections(app.getHttpServer());
  // Given `localhost`, Fastify opens another server for its second address, without the listeners of this one.
  const { address } = await lookup(host);
  await app.listen({ host: address, port });
  logger.info({ url: await app.getUrl() }, 'listening');

  let drainingSinceMs: number | undefined;
  onEndSignal((signal) => {
    const nowMs = performance.now();
    if (drainingSinceMs !== undefined) {
      if (signal === 'SIGINT' && nowMs - drainingSinceMs > oneInterruptMs) process.exit(interruptedCode);
      return;
    }
    drainingSinceMs = nowMs;
    logger.info({ signal }, 'draining');
    const delayMs = signal === 'SIGTERM' ? drainDelayMs : 0;
    const limit = setTimeout(() => {
      logger.error({ drainLimitMs }, 'the drain took too long');
      process.exit(1);
    }, delayMs + drainLimitMs).unref();
    void drain(app, openConnections, { logger, readiness, drainLimitMs }, () => pause(delayMs)).then(async (code) => {
      await tracing?.end();
      // Tests replace `process.exit`: the limit must not end the next instance in their process.
      clearTimeout(limit);
      process.exit(code);
    });
  });
}

/** Becomes unready, serves until `delay` resolves, and closes. @returns the exit code */
export async function drain(
  app: NestFastifyApplication,
  openConnections: OpenConnections,
  { logger, readiness, drainLimitMs }: Pick<Required<Lifecycle>, 'logger' | 'readiness' | 'drainLimitMs'>,
  delay: () => Promise<void>,
): Promise<number> {
  readiness.startDraining();
  openConnections.closeAfterResponses();
  await delay();
  let abortedConnections = 0;
  const unusedGrace = setTimeout(() => {
    openConnections.closeUnused();
  }, unusedGraceMs);
  const requestGrace = setTimeout(() => {
    abortedConnections = openConnections.closeAll();
    if (abortedConnections > 0)
      logger.warn(
        { connections: abortedConnections, drainLimitMs },
        'connections were closed before their responses were sent',
      );
  }, drainLimitMs - closingReserveMs);
  try {
    await app.close();
    return abortedConnections > 0 ? 1 : 0;
  } catch (err) {
    logger.error({ err }, 'the drain failed');
    return 1;
  } finally {
    clearTimeout(unusedGrace);
    clearTimeout(requestGrace);
  }
}
