import { types } from 'node:util';
import { type LoggerService } from '@nestjs/common';
import pino, { type DestinationStream, type Logger, type LevelWithSilent } from 'pino';
import { tracing } from '../tracing/tracing';

export type { Logger } from 'pino';

/**
 * Credentials must not be logged. This list is the safety net for fields of a line, of an object in it, and of that
 * object's `headers`, but no deeper.
 */
const secrets = [
  'authorization',
  'x-api-key',
  'cookie',
  'set-cookie',
  'token',
  'refresh_token',
  'ws_token',
  'sig',
  'proof',
];

/** Creates the logger of a service: one JSON object per line, to standard output. `destination` is for tests. */
export function createLogger(service: string, level: LevelWithSilent, destination?: DestinationStream): Logger {
  return pino(
    {
      name: service,
      level,
      base: { service },
      ...(tracing !== undefined && { mixin: tracing.fieldsOfLine }),
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: (error: unknown) => errorForLog(error) },
      redact: {
        paths: secrets.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.headers["${name}"]`]),
        censor: '[redacted]',
      },
    },
    destination ?? pino.destination({ fd: 1, sync: true }),
  );
}

/** Writes Nest's log lines to the service's logger: its information as debug, its debug as trace. */
export class FrameworkLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.logger.debug({ context: rest.at(-1) }, String(message));
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.logger.warn({ context: rest.at(-1) }, String(message));
  }

  error(message: unknown, ...rest: unknown[]): void {
    if (message instanceof Error) this.logger.error({ err: message, context: rest.at(-1) }, message.message);
    else this.logger.error({ stack: rest[0], context: rest.at(-1) }, String(message));
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.logger.trace({ context: rest.at(-1) }, String(message));
  }
}

/**
 * Fields of errors that may be logged: network addresses, and names of the schema from PostgreSQL. All others are
 * omitted, since drivers put keys, arguments, rows and statements into their errors.
 */
const loggedErrorFields = [
  ...['code', 'errno', 'syscall', 'hostname', 'address', 'port'],
  ...['severity', 'schema', 'table', 'column', 'dataType', 'constraint', 'routine'],
];

/** Maximum depth at which causes and aggregated errors are logged. */
const maxDepth = 5;

/** Serializes an error: type, message, stack, causes, and of the other fields only `loggedErrorFields`. */
function errorForLog(error: unknown, depth = 0): object {
  if (!types.isNativeError(error)) return { type: typeof error, ...(typeof error === 'string' && { message: error }) };
  const fields = new Map<string, unknown>(Object.entries(error));
  const inner = (nested: unknown) => errorForLog(nested, depth + 1);
  // The client of a Redis Cluster has the reason in the error of the last node that it tried.
  const cause = error.cause ?? fields.get('lastNodeError');
  const aggregated: unknown = 'errors' in error ? error.errors : undefined;
  return {
    type: error.constructor.name,
    message: withoutArguments(error.message),
    stack: withoutArguments(error.stack ?? ''),
    ...Object.fromEntries(
      loggedErrorFields.flatMap((name) => {
        const value: unknown = fields.get(name);
        return typeof value === 'string' || typeof value === 'number' ? [[name, value]] : [];
      }),
    ),
    ...(cause !== undefined && depth < maxDepth && { cause: inner(cause) }),
    ...(Array.isArray(aggregated) && depth < maxDepth && { aggregateErrors: aggregated.map(inner) }),
  };
}

/** Redis repeats the arguments of an unknown command, and older versions do not know all commands. */
function withoutArguments(text: string): string {
  return text.replaceAll(/(with args beginning with:).*/g, '$1 …');
}

/** Injects the service's `Logger`. */
export const LOGGER = Symbol('Logger');
