import { type LoggerService } from '@nestjs/common';
import pino, { type DestinationStream, type Logger, type LevelWithSilent } from 'pino';

export type { Logger } from 'pino';

/** Structured logs, one JSON object a line. Nothing that proves who somebody is may be logged; this list is the safety net. */
const secrets = ['authorization', 'cookie', 'set-cookie', 'token', 'refresh_token', 'ws_token', 'sig', 'proof'];

/** The logger of a service. `destination` is for tests. */
export function createLogger(service: string, level: LevelWithSilent, destination?: DestinationStream): Logger {
  return pino(
    {
      name: service,
      level,
      base: { service },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: secrets.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.headers["${name}"]`]),
        censor: '[redacted]',
      },
    },
    destination ?? pino.destination({ fd: 1, sync: true }),
  );
}

/** Lets the framework's own lines go through the service's logger: its start-up chatter as debug. */
export class FrameworkLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...rest: unknown[]) {
    this.logger.debug({ context: rest.at(-1) }, String(message));
  }

  warn(message: unknown, ...rest: unknown[]) {
    this.logger.warn({ context: rest.at(-1) }, String(message));
  }

  error(message: unknown, ...rest: unknown[]) {
    if (message instanceof Error) this.logger.error({ err: message, context: rest.at(-1) }, message.message);
    else this.logger.error({ stack: rest[0], context: rest.at(-1) }, String(message));
  }

  debug(message: unknown, ...rest: unknown[]) {
    this.logger.trace({ context: rest.at(-1) }, String(message));
  }
}

/**
 * Says a repeated thing once per period: while a dependency is down every request fails the same way, and one line
 * with the count of those left out says as much as ten thousand.
 */
export class RepeatedLine {
  private nextAtMs = 0;
  private leftOut = 0;

  constructor(
    private readonly write: (leftOut: number, error: unknown) => void,
    private readonly periodMs = 10_000,
  ) {}

  say(error: unknown, nowMs = Date.now()) {
    if (nowMs < this.nextAtMs) {
      this.leftOut += 1;
      return;
    }
    this.nextAtMs = nowMs + this.periodMs;
    this.write(this.leftOut, error);
    this.leftOut = 0;
  }
}
