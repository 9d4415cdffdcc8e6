import path from 'node:path';
import { Client } from 'pg';
import { GuardedProcess, describeEnd } from '../processes/guarded-process';
import { LocalServer, lastOutput } from '../processes/local-server';
import type { ServerUser } from '../processes/server-user';
import { administrator, serverEnvironment } from './cluster';

/** Maximum duration of a fast shutdown, which writes all dirty pages. */
const stopTimeoutMs = 30_000;

export interface PostgresSetUp {
  bin: string;
  dataDir: string;
  /** Cleans up when the server ends for good. */
  onStopped: () => void;
  password: string;
  settings: Record<string, string>;
  temporaryFolder: string | undefined;
  user: ServerUser | undefined;
}

/** A PostgreSQL server. Committed data survive `kill` and `start`. */
export class PostgresServer extends LocalServer {
  /** Use `startPostgres`. */
  constructor(
    readonly setUp: PostgresSetUp,
    port: number,
  ) {
    super('PostgreSQL', port);
  }

  /** The administrator's connection string for a database. */
  url(database = 'postgres'): string {
    return `postgres://${administrator}:${this.setUp.password}@127.0.0.1:${this.port}/${encodeURIComponent(database)}`;
  }

  /** Resolves with a sentence when the server ends; immediately if it does not run. */
  async whenEnded(): Promise<string> {
    const server = this.process;
    if (server === undefined) return 'PostgreSQL does not run';
    return `PostgreSQL ended with ${describeEnd(await server.ended)}: ${lastOutput(server)}`;
  }

  /** Shuts the server down for good, and removes temporary data. */
  override async stop(): Promise<void> {
    await super.stop();
    this.setUp.onStopped();
  }

  protected launch(): Promise<GuardedProcess> {
    const { bin, dataDir, settings, temporaryFolder, user } = this.setUp;
    const options = Object.entries({
      ...settings,
      listen_addresses: '127.0.0.1',
      port: String(this.port),
      unix_socket_directories: '',
      timezone: 'UTC',
      log_timezone: 'UTC',
    }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    return GuardedProcess.start(path.join(bin, 'postgres'), ['-D', dataDir, ...options], {
      cwd: '/',
      env: serverEnvironment,
      user,
      stopSignal: 'SIGINT',
      stopTimeoutMs,
      temporaryFolder,
    });
  }

  protected async ping(): Promise<void> {
    const client = new Client({ connectionString: this.url(), connectionTimeoutMillis: 2_000 });
    client.on('error', () => undefined); // The server may end in the meantime; the query then rejects.
    await client.connect();
    await client.end();
  }
}
