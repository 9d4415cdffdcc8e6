import { Logger } from '@nestjs/common';
import { type ClientBase, escapeIdentifier, escapeLiteral } from 'pg';
import { kindOfError } from '../observability/throttled-log';
import * as sql from './sql-types';
import { Statement } from './statement';

/** Maximum time that a statement waits for a lock, and its maximum duration, in milliseconds. */
const lockTimeoutMs = 2_000;
const statementTimeoutMs = 5_000;
/** Statements queue behind a waiting migration, so it must give up before they do. */
const migrationLockTimeoutMs = lockTimeoutMs / 2;
/** Maximum time that a transaction may be idle while it holds locks, in milliseconds. */
const idleTransactionTimeoutMs = 5_000;

/** Settings of the server, in milliseconds; 0 disables a timeout. */
export type ServerTimeouts = Readonly<
  Record<'lock_timeout' | 'idle_in_transaction_session_timeout' | 'statement_timeout', number>
>;

const selectBackend = new Statement({
  name: 'backend',
  text: 'SELECT pg_backend_pid() AS pid',
  parameters: {},
  columns: { pid: sql.notNull(sql.int4) },
  // Executed once per connection, and a pooler may give each execution another one.
  isPrepared: false,
});

const selectRole = new Statement({
  name: 'timeouts-of-role',
  text: `
    SELECT session_user::text AS role, current_database()::text AS database,
      ARRAY(SELECT name FROM pg_settings WHERE name = ANY($1) AND setting = '0') AS lacking`,
  parameters: { timeouts: sql.arrayOf(sql.text) },
  columns: {
    role: sql.notNull(sql.text),
    database: sql.notNull(sql.text),
    lacking: sql.notNull(sql.arrayOf(sql.text)),
  },
  isPrepared: false,
});

/** @param isMigration removes the statement timeout */
export function serverTimeouts(isMigration: boolean): ServerTimeouts {
  return {
    lock_timeout: isMigration ? migrationLockTimeoutMs : lockTimeoutMs,
    idle_in_transaction_session_timeout: idleTransactionTimeoutMs,
    statement_timeout: isMigration ? 0 : statementTimeoutMs,
  };
}

/**
 * Whether there is a pooler between the client and PostgreSQL: the backend process is then not the one that was
 * announced when the client connected.
 */
export async function isPooled(client: ClientBase): Promise<boolean> {
  const backend = await selectBackend.find(client, {});
  return backend?.pid !== backendOf(client);
}

/**
 * Sets the timeouts on the connection. Behind a pooler in transaction mode each transaction may get another connection,
 * so there the role gets the timeouts that it does not have yet. They are not sent as startup parameters, since
 * PgBouncer rejects connections with unknown ones.
 */
export async function applyServerTimeouts(client: ClientBase, timeouts: ServerTimeouts): Promise<void> {
  const names = Object.keys(timeouts);
  const { rowCount } = await client.query(
    `SELECT ${names.map((name, i) => `set_config('${name}', $${i + 2}, false)`).join(', ')} WHERE pg_backend_pid() = $1`,
    [backendOf(client), ...Object.values(timeouts).map(String)],
  );
  // The timeouts of migrations are not set on the role: the service may use the same one.
  if (rowCount === 0 && timeouts.statement_timeout > 0) await setRoleTimeouts(client, timeouts);
}

/** Roles (and databases) whose timeouts this process tried to set. */
const rolesTried = new Set<string>();

async function setRoleTimeouts(client: ClientBase, timeouts: ServerTimeouts): Promise<void> {
  const row = await selectRole.find(client, { timeouts: Object.keys(timeouts) });
  if (row === undefined || row.lacking.length === 0) return;
  const scope = `ALTER ROLE ${escapeIdentifier(row.role)} IN DATABASE ${escapeIdentifier(row.database)}`;
  if (rolesTried.has(scope)) return;
  rolesTried.add(scope);
  const statements = Object.entries(timeouts)
    .filter(([name]) => row.lacking.includes(name))
    .map(([name, ms]) => `${scope} SET ${name} = ${escapeLiteral(`${ms}ms`)};`)
    .join(' ');
  try {
    await client.query(statements);
    Logger.warn(
      `set the timeouts on the role, because of the pooler: ${statements} Connections that the pooler has already opened do not have them until they are renewed`,
      'database',
    );
  } catch (error) {
    // Another instance may be doing the same, the server may be read-only, or the role may lack the privilege.
    Logger.warn(
      `the role lacks timeouts, which it needs behind a pooler, and setting them failed (${kindOfError(error)}): ${statements}`,
      'database',
    );
  }
}

/** The process id that was announced when the client connected; a pooler announces any number. */
function backendOf(client: ClientBase): unknown {
  return Reflect.get(client, 'processID');
}
