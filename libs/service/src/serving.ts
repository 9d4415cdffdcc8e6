import { setTimeout as pause } from 'node:timers/promises';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type Logger } from './logging';
import { type Readiness } from './readiness';
import { tracing } from './tracing/tracing';

export interface Lifecycle {
  logger: Logger;
  readiness: Readiness;
  host: string;
  port: number;
  /**
   * How long it serves on after SIGTERM: until everybody who routes here has heard of it, and clients have been told on the
   * connections that they keep. None by default, for what nobody but the platform asks.
   */
  drainDelayMs?: number;
  /** How long the rest of a drain may take before the process ends all the same; 30 s by default. */
  drainLimitMs?: number;
}

/** How long requests have to finish in a drain, in milliseconds. Connections that never sent one would hold it for ever. */
const requestGraceMs = 10_000;

/**
 * Listens, and on SIGTERM or SIGINT drains: not ready, what runs is finished, exit 0; exit 1 if the limit passes first. SIGINT,
 * by which a person ends it who waits for that, is not followed by the delay.
 */
export async function serve(app: NestFastifyApplication, lifecycle: Lifecycle): Promise<void> {
  const { logger, readiness, host, port, drainDelayMs = 0, drainLimitMs = 30_000 } = lifecycle;
  await app.listen({ host, port });
  logger.info({ url: await app.getUrl() }, 'listening');

  const end = (signal: NodeJS.Signals) => {
    if (readiness.isDraining) return;
    logger.info({ signal }, 'draining');
    const delayMs = signal === 'SIGTERM' ? drainDelayMs : 0;
    setTimeout(() => {
      logger.error({ drainLimitMs }, 'the drain took too long');
      process.exit(1);
    }, delayMs + drainLimitMs).unref();
    setTimeout(() => {
      app.getHttpServer().closeAllConnections();
    }, delayMs + requestGraceMs).unref();
    void ended(drain(app, readiness, delayMs), logger).then(async (code) => {
      await tracing?.end();
      process.exit(code);
    });
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}

/**
 * Not ready from now on, serves for the delay, and then closes. Every answer meanwhile is the last one of its connection, and
 * says so (`Connection: close`): a connection that were closed while the client sends on it would lose that request
 * (`ECONNRESET`).
 */
export async function drain(app: NestFastifyApplication, readiness: Readiness, delayMs: number): Promise<void> {
  readiness.startDraining();
  // At Node's own server: not every answer comes by way of Fastify.
  app.getHttpServer().prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false;
  });
  await pause(delayMs);
  await app.close();
}

/** @returns the exit code */
async function ended(draining: Promise<void>, logger: Logger): Promise<number> {
  try {
    await draining;
    return 0;
  } catch (err) {
    logger.error({ err }, 'the drain failed');
    return 1;
  }
}
