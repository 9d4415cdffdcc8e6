import { types } from 'node:util';
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
      serializers: { err: errorForLog },
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

/** What database errors carry besides their message: the values of the row or statement, which may be anybody's text. */
const valuesInErrors = ['detail', 'where', 'parameters', 'query', 'driverError', 'internalQuery'];

/** An error as the log may have it: with stack and code, without the values that it was about. */
function errorForLog(error: Error): object {
  return Object.fromEntries(
    Object.entries(pino.stdSerializers.err(error)).filter(([name]) => !valuesInErrors.includes(name)),
  );
}

/** So many kinds of fault are told apart; there are not that many. */
const kindsMost = 100;

/**
 * Says a repeated thing once per period and kind: while a dependency is down every request fails the same way, and one
 * line with the count of those left out says as much as ten thousand. One kind of fault does not hide another.
 */
export class RepeatedLine {
  private readonly kinds = new Map<string, { nextAtMs: number; leftOut: number }>();

  constructor(
    private readonly write: (leftOut: number, error: unknown) => void,
    private readonly periodMs = 10_000,
  ) {}

  say(error: unknown, nowMs = performance.now()) {
    const kind = kindOf(error);
    const { nextAtMs, leftOut } = this.kinds.get(kind) ?? { nextAtMs: -Infinity, leftOut: 0 };
    if (nowMs < nextAtMs) {
      this.kinds.set(kind, { nextAtMs, leftOut: leftOut + 1 });
      return;
    }
    if (this.kinds.size >= kindsMost) this.kinds.clear();
    this.kinds.set(kind, { nextAtMs: nowMs + this.periodMs, leftOut: 0 });
    this.write(leftOut, error);
  }
}

/** Name and code of an error and of what caused it. */
function kindOf(error: unknown): string {
  if (!types.isNativeError(error)) return typeof error;
  const code = 'code' in error ? String(error.code) : '';
  return `${error.name} ${code} ${error.cause === undefined ? '' : kindOf(error.cause)}`;
}
