import { types } from 'node:util';

/**
 * Codes by which node-postgres and PostgreSQL say that the database cannot serve us now (no connection, no room, read-only
 * after a failover, a time limit passed, a transaction that rested too long), as opposed to a faulty statement.
 */
const unavailableCodes =
  /^(08...|57P0.|53...|25006|25P03|57014|55P03|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;
/** What node-postgres, its pool and TypeORM say without a code. */
const unavailableTexts =
  /Connection terminated|and is not queryable|timeout exceeded when trying to connect|timeout expired|Query read timeout|Driver not Connected|Cannot use a pool after calling end/;

/** Whether an error of the database driver says that the database cannot serve us now, rather than that we asked nonsense. */
export function isDatabaseUnavailable(error: unknown): boolean {
  // Not `instanceof`: Node's own errors come from another realm where code runs in a context of its own.
  if (!types.isNativeError(error)) return false;
  if ('errors' in error && Array.isArray(error.errors)) return error.errors.some(isDatabaseUnavailable);
  const code: unknown = 'code' in error ? error.code : undefined;
  if (typeof code === 'string' && unavailableCodes.test(code)) return true;
  return unavailableTexts.test(error.message);
}

/** Whether a statement failed for its own values (SQLSTATE classes 22 and 23), so that others need not fail with it. */
export function isDataError(error: unknown): boolean {
  return /^2[23]...$/.test(sqlStateOf(error));
}

/** Whether a statement failed since a unique index has its key already. */
export function isUniqueViolation(error: unknown): boolean {
  return sqlStateOf(error) === '23505';
}

function sqlStateOf(error: unknown): string {
  const code: unknown = types.isNativeError(error) && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}
