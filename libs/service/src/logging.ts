import { types } from 'node:util';
import { type LoggerService } from '@nestjs/common';
import pino, { type DestinationStream, type Logger, type LevelWithSilent } from 'pino';
import { tracing } from './tracing/tracing';

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

/**
 * What else of an error is of use and is nobody's text: where the network failed, and what of the schema PostgreSQL names.
 * Everything that is not listed is left out: drivers put keys, arguments, rows and statements into their errors.
 */
const fieldsOfUse = [
  ...['code', 'errno', 'syscall', 'hostname', 'address', 'port'],
  ...['severity', 'schema', 'table', 'column', 'dataType', 'constraint', 'routine'],
];

/** Causes of causes, and errors in errors, are followed so far. */
const maxDepth = 5;

/** An error as the log may have it: what it is, says and was caused by, and of the rest only `fieldsOfUse`. */
function errorForLog(error: unknown, depth = 0): object {
  if (!types.isNativeError(error)) return { type: typeof error, ...(typeof error === 'string' && { message: error }) };
  const fields = new Map<string, unknown>(Object.entries(error));
  const inner = (nested: unknown) => errorForLog(nested, depth + 1);
  // What a Redis Cluster's client could not reach it says of the last node that it tried.
  const cause = error.cause ?? fields.get('lastNodeError');
  const aggregated: unknown = 'errors' in error ? error.errors : undefined;
  return {
    type: error.constructor.name,
    message: withoutArguments(error.message),
    stack: withoutArguments(error.stack ?? ''),
    ...Object.fromEntries(
      fieldsOfUse.flatMap((name) => {
        const value: unknown = fields.get(name);
        return typeof value === 'string' || typeof value === 'number' ? [[name, value]] : [];
      }),
    ),
    ...(cause !== undefined && depth < maxDepth && { cause: inner(cause) }),
    ...(Array.isArray(aggregated) && depth < maxDepth && { aggregateErrors: aggregated.map(inner) }),
  };
}

/** Redis repeats the arguments of a command that it does not know; an older one does not know all of ours. */
function withoutArguments(text: string): string {
  return text.replaceAll(/(with args beginning with:).*/g, '$1 …');
}

/** Injects the service's `Logger`. */
export const LOGGER = Symbol('Logger');
