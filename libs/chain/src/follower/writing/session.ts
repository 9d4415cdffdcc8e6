import { Socket } from 'node:net';
import { Client, type ClientBase } from 'pg';
import { z } from 'zod';
import { FatalChainError } from '../errors';
import { type FollowerSettings } from '../options';
import { pause } from '../abortable';

type SessionOptions = Pick<FollowerSettings, 'database' | 'name' | 'statementTimeoutMs' | 'idleTimeoutMs'>;

const connectTimeoutMs = 5_000;

/** The server cancels a statement first. If its error does not arrive, the client gives up this much later. */
const graceMs = 2_000;

/**
 * The client timeouts of pipelined statements start together, but the server times each statement separately. The
 * client timeout allows for this many that use their full time.
 */
const maxSlowStatements = 3;

/** Maximum duration of an orderly end of the connection, in milliseconds. */
const closeTimeoutMs = 1_000;

/**
 * The server notices within half a minute that the machine of a client is gone, and releases its lock. Settings that a
 * server does not know are left out: before PostgreSQL 14, which brought `idle_session_timeout`, a suspended follower
 * keeps its lock while it is idle between transactions.
 */
const settingsStatement = `
  SELECT set_config(name, wanted, false)
  FROM (VALUES ('idle_session_timeout', $1), ('idle_in_transaction_session_timeout', $1), ('statement_timeout', $2),
               ('tcp_keepalives_idle', '10'), ('tcp_keepalives_interval', '5'), ('tcp_keepalives_count', '3'))
       AS setting (name, wanted)
  JOIN pg_settings USING (name)`;

const pooledMessage =
  'The database is reached through a pooler (such as PgBouncer), which would share the connection that holds the lock: ' +
  'give the indexer a DATABASE_URL that reaches PostgreSQL directly. It needs a few connections, whatever the load';

/** The connection was lost, and with it the lock and what was not committed. */
export class SessionLostError extends Error {
  override readonly name = 'SessionLostError';

  constructor(cause?: unknown) {
    super('The connection to the database is lost', { cause });
  }
}

/**
 * The one connection that holds the lock of a follower and runs its transactions, so that losing the connection loses
 * the lock.
 */
export class Session {
  /** Resolves when the connection ends, for whatever reason; never rejects. */
  readonly lost: Promise<void>;
  private hasEnded = false;

  private constructor(
    readonly client: ClientBase,
    private readonly end: () => Promise<void>,
    private readonly socket: Socket,
  ) {
    this.lost = new Promise((resolve) => {
      const markLost = (): void => {
        this.hasEnded = true;
        resolve();
      };
      client.once('end', markLost);
      // Emitted earlier if the connection breaks; pending queries are rejected as well.
      client.on('error', markLost);
    });
  }

  /**
   * Opens the connection, and sets its timeouts. Errors of the driver are thrown too.
   *
   * @throws FatalChainError behind a pooler: the lock would belong to the next client of the same connection
   * @throws SessionLostError if the connection ends meanwhile
   */
  static async open({ database, name, statementTimeoutMs, idleTimeoutMs }: SessionOptions): Promise<Session> {
    const socket = new Socket();
    const client = new Client({
      connectionString: database.url,
      connectionTimeoutMillis: connectTimeoutMs,
      query_timeout: maxSlowStatements * statementTimeoutMs + graceMs,
      keepAlive: true,
      // Statements that do not depend on each other's results are sent together.
      pipeline: true,
      application_name: `waggle-follower ${name}`,
      stream: () => socket,
    });
    const session = new Session(client, () => client.end(), socket);
    try {
      await client.connect();
      if (await database.isPooled(client)) throw new FatalChainError(pooledMessage, undefined);
      await client.query(settingsStatement, [`${idleTimeoutMs}`, `${statementTimeoutMs}`]);
      return session;
    } catch (error) {
      socket.destroy();
      // A connection that ends between two statements has an error of its own, without a code.
      throw session.isLost && !(error instanceof FatalChainError) ? new SessionLostError(error) : error;
    }
  }

  get isLost(): boolean {
    return this.hasEnded;
  }

  /** Tries to take the lock, which is then held until the connection ends. @returns whether it is held */
  async tryLock(name: string): Promise<boolean> {
    return tryFollowerLock(this.client, name);
  }

  /** Keeps the server from ending the connection as idle. */
  async ping(): Promise<void> {
    await this.client.query('SELECT 1');
  }

  /**
   * Runs the work in one transaction. If it fails, the transaction is rolled back, and the error is thrown.
   *
   * @throws SessionLostError if the rollback fails, because the connection is lost
   */
  async transaction<T>(work: (client: ClientBase) => Promise<T>): Promise<T> {
    try {
      await this.client.query('BEGIN');
      const result = await work(this.client);
      await this.client.query('COMMIT');
      return result;
    } catch (error) {
      try {
        await this.client.query('ROLLBACK');
      } catch {
        // The work failed because the connection was lost.
        throw new SessionLostError(error);
      }
      throw error;
    }
  }

  /** Gives up the lock and the connection, even if the server does not respond. Never rejects. */
  async close(): Promise<void> {
    const waiting = new AbortController();
    const ending = this.end().catch(() => undefined);
    await Promise.race([ending, pause(closeTimeoutMs, waiting.signal)]);
    waiting.abort();
    this.socket.destroy();
  }
}

const lockRow = z.object({ locked: z.boolean() });

/**
 * Takes the lock of the followers of this name, which the connection holds until it ends. @returns false if another has
 * it
 */
export async function tryFollowerLock(client: ClientBase, name: string): Promise<boolean> {
  const { rows } = await client.query('SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS locked', [
    `chain follower ${name}`,
  ]);
  return lockRow.parse(rows[0]).locked;
}
