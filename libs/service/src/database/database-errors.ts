import { types } from 'node:util';

/**
 * Codes of node-postgres and PostgreSQL for a database that is unavailable (no connection, too many connections,
 * read-only after a failover, a timeout, an idle transaction), as opposed to an invalid statement.
 */
const unavailableCodes =
  /^(08...|57P0.|53...|25006|25P03|57014|55P03|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;
/** Messages of node-postgres, its pool and TypeORM that have no code. */
const unavailableTexts =
  /Connection terminated|and is not queryable|timeout exceeded when trying to connect|timeout expired|Query read timeout|Driver not Connected|Cannot use a pool after calling end/;

/** Whether a driver error means that the database is unavailable, rather than that the statement is invalid. */
export function isDatabaseUnavailable(error: unknown): boolean {
  // Not `instanceof`: in Jest, Node's own errors come from another realm.
  if (!types.isNativeError(error)) return false;
  if ('errors' in error && Array.isArray(error.errors)) return error.errors.some(isDatabaseUnavailable);
  const code: unknown = 'code' in error ? error.code : undefined;
  if (typeof code === 'string' && unavailableCodes.test(code)) return true;
  return unavailableTexts.test(error.message);
}

/**
 * Whether a statement failed because of its values (SQLSTATE classes 22 and 23), so that the same statement may succeed
 * with others.
 */
export function isDataError(error: unknown): boolean {
  return /^2[23]...$/.test(sqlStateOf(error));
}

/** Whether a statement violated a unique index. */
export function isUniqueViolation(error: unknown): boolean {
  return sqlStateOf(error) === '23505';
}

function sqlStateOf(error: unknown): string {
  const code: unknown = types.isNativeError(error) && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}
