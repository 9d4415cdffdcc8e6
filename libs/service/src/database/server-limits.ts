import { Logger } from '@nestjs/common';
import { type ClientBase, escapeIdentifier, escapeLiteral } from 'pg';
import { kindOfError } from '../throttled-log';

/** How long the server lets a statement wait for what another holds, and run at all, in milliseconds. */
const lockTimeoutMs = 2_000;
const statementTimeoutMs = 5_000;
/** Who asks for a table after a migration waits behind it, and must not give up before it does. */
const migrationLockTimeoutMs = lockTimeoutMs / 2;
/** How long the server keeps a transaction, and what it has locked, whose next statement does not come. */
const idleTransactionTimeoutMs = 5_000;

/** Settings of the server with their value in milliseconds; 0 is none. */
export type ServerLimits = Readonly<
  Record<'lock_timeout' | 'idle_in_transaction_session_timeout' | 'statement_timeout', number>
>;

/** @param unhurried statements may take as long as they need */
export function serverLimits(unhurried: boolean): ServerLimits {
  return {
    lock_timeout: unhurried ? migrationLockTimeoutMs : lockTimeoutMs,
    idle_in_transaction_session_timeout: idleTransactionTimeoutMs,
    statement_timeout: unhurried ? 0 : statementTimeoutMs,
  };
}

/**
 * Whether something that gives out connections of its own stands between the client and PostgreSQL: the server process that
 * answers is not the one that the client was told of when it connected.
 */
export async function isPooled(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid !== backendOf(client);
}

/**
 * Has the server keep the limits. They belong to the connection where it is ours. Behind a pooler in transaction mode each
 * transaction may get another, so there they belong to the role, which is given those that it lacks; where it has others,
 * these stay. They are not sent while connecting: PgBouncer refuses who sends settings that it does not know.
 */
export async function applyServerLimits(client: ClientBase, limits: ServerLimits): Promise<void> {
  const names = Object.keys(limits);
  const { rowCount } = await client.query(
    `SELECT ${names.map((name, i) => `set_config('${name}', $${i + 2}, false)`).join(', ')} WHERE pg_backend_pid() = $1`,
    [backendOf(client), ...Object.values(limits).map(String)],
  );
  // What migrations need is no setting for the role: the service may have the same one.
  if (rowCount === 0 && limits.statement_timeout > 0) await limitRole(client, limits);
}

/** Roles of databases that this process has limitedRoles at already. */
const limitedRoles = new Set<string>();

async function limitRole(client: ClientBase, limits: ServerLimits): Promise<void> {
  const { rows } = await client.query<{ role: string; database: string; lacking: string[] }>(
    `SELECT session_user AS role, current_database() AS database,
       ARRAY(SELECT name FROM pg_settings WHERE name = ANY($1) AND setting = '0') AS lacking`,
    [Object.keys(limits)],
  );
  const [row] = rows;
  if (row === undefined || row.lacking.length === 0) return;
  const scope = `ALTER ROLE ${escapeIdentifier(row.role)} IN DATABASE ${escapeIdentifier(row.database)}`;
  if (limitedRoles.has(scope)) return;
  limitedRoles.add(scope);
  const statements = Object.entries(limits)
    .filter(([name]) => row.lacking.includes(name))
    .map(([name, ms]) => `${scope} SET ${name} = ${escapeLiteral(`${ms}ms`)};`)
    .join(' ');
  try {
    await client.query(statements);
    Logger.warn(
      `behind a pooler limits belong to the role: ${statements} Connections that the pooler has open already are without them until it renews them`,
      'database',
    );
  } catch (error) {
    // Another instance may be doing the same, the server a copy that is only read, or the role not its own master.
    Logger.warn(
      `behind a pooler limits belong to the role, which lacks them, and setting them failed (${kindOfError(error)}): ${statements}`,
      'database',
    );
  }
}

/** As the server said when the client connected. A pooler says what it likes. */
function backendOf(client: ClientBase): unknown {
  return Reflect.get(client, 'processID');
}
