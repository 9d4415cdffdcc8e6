import { chownSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from 'pg';
import { GuardedProcess } from '../processes/guarded-process';
import { LocalServer } from '../processes/local-server';
import { type ServerUser } from '../processes/server-user';
import { waitLimitMs } from '../until';
import { type PgBouncerProgram } from './binary';

const stopTimeoutMs = 5_000;

export interface PgBouncerSetUp {
  program: PgBouncerProgram;
  /** URL of the PostgreSQL behind it. It accepts the same user, for every database of that server. */
  upstream: URL;
  settings: Readonly<Record<string, string>>;
  /** The folder of its files; removed after it. */
  folder: string;
  /** The user that it runs as; PgBouncer does not run as root. */
  user: ServerUser | undefined;
}

/** A PgBouncer in front of a PostgreSQL. */
export class PgBouncer extends LocalServer {
  /** Use `startPgBouncer`. */
  constructor(
    private readonly setUp: PgBouncerSetUp,
    port: number,
  ) {
    super('PgBouncer', port);
  }

  /** The connection string of the same database through this; `pgbouncer` is its own console. */
  url(database = this.setUp.upstream.pathname.slice(1)): string {
    const url = new URL(this.setUp.upstream);
    url.host = `127.0.0.1:${this.port}`;
    url.pathname = `/${database}`;
    return url.toString();
  }

  /** Runs a console command, such as `SHOW POOLS`. @returns the rows, all columns as text or number */
  async console(command: string, connectTimeoutMs = waitLimitMs): Promise<Record<string, unknown>[]> {
    const client = new Client({
      connectionString: this.url('pgbouncer'),
      connectionTimeoutMillis: connectTimeoutMs,
    });
    client.on('error', () => undefined); // It may end in the meantime; the query then rejects.
    await client.connect();
    try {
      const { rows } = await client.query<Record<string, unknown>>(command);
      return rows;
    } finally {
      await client.end();
    }
  }

  /** Counts the client connections to the database, and the connections to PostgreSQL that they share. */
  async connections(): Promise<{ clients: number; servers: number }> {
    const database = decodeURIComponent(this.setUp.upstream.pathname.slice(1));
    const pools = (await this.console('SHOW POOLS')).filter((pool) => pool['database'] === database);
    const sum = (names: readonly string[]) =>
      pools.reduce((total, pool) => total + names.reduce((of, name) => of + Number(pool[name]), 0), 0);
    return {
      clients: sum(['cl_active', 'cl_waiting']),
      servers: sum(['sv_active', 'sv_idle', 'sv_used', 'sv_tested', 'sv_login']),
    };
  }

  override async stop(): Promise<void> {
    await super.stop();
    rmSync(this.setUp.folder, { recursive: true, force: true });
  }

  protected async launch(): Promise<GuardedProcess> {
    const { program, user, upstream, settings, folder } = this.setUp;
    const [name, password] = [upstream.username, upstream.password].map(decodeURIComponent);
    const users = path.join(folder, 'users.txt');
    this.write(users, `"${name ?? ''}" "${password ?? ''}"\n`);
    const file = path.join(folder, 'pgbouncer.ini');
    const all = {
      listen_addr: '127.0.0.1',
      listen_port: String(this.port),
      unix_socket_dir: '',
      auth_type: 'scram-sha-256',
      auth_file: users,
      admin_users: name ?? '',
      pool_mode: 'transaction',
      max_prepared_statements: '200',
      ...settings,
    };
    const lines = Object.entries(all).map(([key, value]) => `${key} = ${value}`);
    const address = `host=${upstream.hostname} port=${upstream.port === '' ? '5432' : upstream.port}`;
    this.write(file, ['[databases]', `* = ${address}`, '[pgbouncer]', ...lines, ''].join('\n'));
    return await GuardedProcess.start(program.command, [...program.args, file], {
      cwd: '/',
      env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C' },
      user,
      // Immediately, without waiting for clients.
      stopSignal: 'SIGTERM',
      stopTimeoutMs,
      temporaryFolder: folder,
    });
  }

  protected async ping(): Promise<void> {
    await this.console('SHOW VERSION', 2_000);
  }

  /** Writes a file that only the server's user may read, because it contains a password. */
  private write(file: string, text: string): void {
    writeFileSync(file, text, { mode: 0o600 });
    const { user, folder } = this.setUp;
    if (user !== undefined) for (const each of [file, folder]) chownSync(each, user.uid, user.gid);
  }
}
