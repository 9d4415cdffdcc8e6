import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { GuardedProcess, describeEnd } from '../processes/guarded-process';
import type { ServerUser } from '../processes/server-user';
import { administrator, serverEnvironment } from './cluster';

/** How long a fast shutdown may take; it writes all dirty pages. */
const stopTimeoutMs = 30_000;

/** A crash recovery may come first. */
const startTimeoutMs = 60_000;

export interface PostgresSetUp {
  bin: string;
  dataDir: string;
  /** What is left to do once the server has ended for good. */
  onStopped: () => void;
  password: string;
  settings: Record<string, string>;
  temporaryFolder: string | undefined;
  user: ServerUser | undefined;
}

/** A PostgreSQL server of this process: it ends with it. */
export class PostgresServer {
  #process: GuardedProcess | undefined;

  /** Use `startPostgres`. */
  constructor(
    private readonly setUp: PostgresSetUp,
    readonly port: number,
  ) {}

  /** The administrator's connection string for a database. */
  url(database = 'postgres'): string {
    return `postgres://${administrator}:${this.setUp.password}@127.0.0.1:${this.port}/${encodeURIComponent(database)}`;
  }

  /** The server's process; undefined while it does not run. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Resolves with a plain sentence when the server ends, for whatever reason; at once when it does not run. */
  async whenEnded(): Promise<string> {
    if (this.#process === undefined) return 'PostgreSQL does not run';
    return `PostgreSQL ended with ${describeEnd(await this.#process.ended)}: ${lastWords(this.#process)}`;
  }

  /**
   * Starts the server after `kill`, on the same port and data, and resolves when it answers.
   *
   * @throws PostgresStartError
   */
  async start(): Promise<void> {
    const { bin, dataDir, settings, temporaryFolder, user } = this.setUp;
    const options = Object.entries({
      ...settings,
      listen_addresses: '127.0.0.1',
      port: String(this.port),
      unix_socket_directories: '',
      timezone: 'UTC',
      log_timezone: 'UTC',
    }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const server = await GuardedProcess.start(path.join(bin, 'postgres'), ['-D', dataDir, ...options], {
      cwd: '/',
      env: serverEnvironment,
      user,
      stopSignal: 'SIGINT',
      stopTimeoutMs,
      temporaryFolder,
    });
    this.#process = server;
    await this.#untilItAnswers(server);
  }

  /** Freezes the server and its sessions: connections stay open, nothing answers. */
  pause(): void {
    this.#process?.pause();
  }

  resume(): void {
    this.#process?.resume();
  }

  /** SIGKILL for the server and its sessions. What was committed is there after `start`. */
  async kill(): Promise<void> {
    await this.#process?.kill();
    this.#process = undefined;
  }

  /** Ends all sessions in good order and starts again on the same port and data. */
  async restart(): Promise<void> {
    await this.#process?.stop();
    await this.start();
  }

  /** A fast shutdown, for good: temporary data is removed. */
  async stop(): Promise<void> {
    await this.#process?.stop();
    this.#process = undefined;
    this.setUp.onStopped();
  }

  async #untilItAnswers(server: GuardedProcess): Promise<void> {
    const deadline = Date.now() + startTimeoutMs;
    for (;;) {
      const client = new Client({ connectionString: this.url(), connectionTimeoutMillis: 2_000 });
      client.on('error', () => undefined); // The server may end while we ask; that is seen below.
      try {
        await client.connect();
        await client.end();
        return;
      } catch (error) {
        if (server.endedWith !== undefined) throw new PostgresStartError(lastWords(server));
        if (Date.now() > deadline) {
          await server.kill();
          throw new PostgresStartError(`it does not answer: ${error instanceof Error ? error.message : String(error)}`);
        }
      }
      await setTimeout(10);
    }
  }
}

function lastWords(server: GuardedProcess): string {
  return server.lastLines.slice(-5).join(' | ');
}

export class PostgresStartError extends Error {
  override readonly name = 'PostgresStartError';

  constructor(reason: string) {
    super(`PostgreSQL did not start: ${reason}`);
  }

  get portWasTaken(): boolean {
    return this.message.includes('could not bind') || this.message.includes('could not create any TCP/IP sockets');
  }
}
