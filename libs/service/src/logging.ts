import { type LoggerService } from '@nestjs/common';
import pino, { type DestinationStream, type Logger, type LevelWithSilent } from 'pino';

export type { Logger } from 'pino';

/**
 * Nothing that proves who somebody is may be logged; this list is the safety net: for the fields of a line, those of an
 * object among them, and those of that object's `headers`, no deeper.
 */
const secrets = ['authorization', 'cookie', 'set-cookie', 'token', 'refresh_token', 'ws_token', 'sig', 'proof'];

/** The logger of a service: one JSON object a line, to standard output. `destination` is for tests. */
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

/** Lets the framework's own lines go through the service's logger: its start-up chatter as debug, its debug as trace. */
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

/** Fields of database errors that hold the values of the row or statement, which may be anybody's text. */
const valuesInErrors = ['detail', 'where', 'parameters', 'query', 'driverError', 'internalQuery'];

/** An error as the log may have it: message, stack and code, without the fields that hold values. */
function errorForLog(error: Error): object {
  return Object.fromEntries(
    Object.entries(pino.stdSerializers.err(error)).filter(([name]) => !valuesInErrors.includes(name)),
  );
}

/** Injects the service's `Logger`. */
export const LOGGER = Symbol('Logger');
