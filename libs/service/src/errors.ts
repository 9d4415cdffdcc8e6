import { types } from 'node:util';

/**
 * A refusal or failure with a stable code. It is thrown once where the rule is known and mapped once at each edge
 * (REST, WebSocket, JSON-RPC); the message is for people and holds nothing secret.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';

  constructor(
    readonly code: string,
    message: string,
    /** `retryAfterMs`: when trying again can help. `cause`: for the log only. */
    readonly details: { retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: details.cause });
  }
}

/** Something we depend on does not answer: the request may be right and can be repeated. */
export function unavailable(what: string, cause?: unknown): ServiceError {
  return new ServiceError('unavailable', `${what} does not answer at the moment`, { retryAfterMs: 1_000, cause });
}

/**
 * Codes by which node-postgres and PostgreSQL say that the database cannot serve us now (no connection, no room, a time
 * limit passed), as opposed to a faulty statement.
 */
const connectionFaults =
  /^(08...|57P0.|53...|25006|57014|55P03|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;
const connectionFaultTexts =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|Driver not Connected|Cannot use a pool after calling end/;

/** Whether an error of the database driver says that the database cannot be reached, rather than that we asked nonsense. */
export function isDatabaseUnreachable(error: unknown): boolean {
  // Not `instanceof`: Node's own errors come from another realm where code runs in a context of its own, as tests do.
  if (!types.isNativeError(error)) return false;
  if ('errors' in error && Array.isArray(error.errors)) return error.errors.some(isDatabaseUnreachable);
  const code: unknown = 'code' in error ? error.code : undefined;
  if (typeof code === 'string' && connectionFaults.test(code)) return true;
  return connectionFaultTexts.test(error.message);
}

/** Whether a statement failed for its own values (SQLSTATE classes 22 and 23), so that others need not fail with it. */
export function isDataFault(error: unknown): boolean {
  const code: unknown = types.isNativeError(error) && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^2[23]...$/.test(code);
}
