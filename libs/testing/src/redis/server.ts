import { rmSync } from 'node:fs';
import { findFreePort } from '../processes/free-port';
import { GuardedProcess } from '../processes/guarded-process';
import { LocalServer } from '../processes/local-server';
import { type RedisProgram, environmentOf } from './binary';
import { askRedis } from './inline-commands';

/** Nothing is written at the end, so it takes milliseconds. */
const stopTimeoutMs = 5_000;
const startTimeoutMs = 10_000;

export interface RedisSetUp {
  program: RedisProgram;
  password: string;
  /** What makes it a node of a cluster. */
  cluster?: {
    /** Where it keeps what it knows of the others; removed after it. */
    folder: string;
    /** Further settings of redis.conf. */
    settings: Record<string, string>;
  };
}

/** A Redis server. Its data are in memory and gone after a stop or a kill; a node of a cluster keeps its place there. */
export class RedisServer extends LocalServer {
  #busPort: number | undefined;
  #announcedPort: number | undefined;

  /** Use `startRedis` or `startRedisCluster`. */
  constructor(
    private readonly setUp: RedisSetUp,
    port: number,
  ) {
    super('Redis', port, startTimeoutMs);
  }

  get url(): string {
    return `redis://:${this.setUp.password}@127.0.0.1:${this.port}`;
  }

  /** The port at which the nodes of a cluster talk to one another; undefined where it is none. */
  get busPort(): number | undefined {
    return this.#busPort;
  }

  /** @returns what it answers to the commands, after the answer to `AUTH`. */
  async command(...commands: string[]): Promise<string> {
    return (await askRedis(this.port, this.setUp.password, ...commands)).replace(/^\+OK\r\n/, '');
  }

  /** For a node of a cluster: clients are sent to this port, where something stands between them and it; also after a start. */
  async announce(port: number): Promise<void> {
    this.#announcedPort = port;
    const answer = await this.command(`CONFIG SET cluster-announce-port ${port}`);
    if (answer !== '+OK\r\n') throw new Error(`"${answer.trim()}" to the port that it is to announce`);
  }

  /** For good: what a node of a cluster knew of the others is removed. */
  override async stop(): Promise<void> {
    await super.stop();
    const { cluster } = this.setUp;
    if (cluster !== undefined) rmSync(cluster.folder, { recursive: true, force: true });
  }

  protected async launch(): Promise<GuardedProcess> {
    const { program, cluster } = this.setUp;
    return await GuardedProcess.start(program.command, ['-'], {
      cwd: '/',
      env: environmentOf(program),
      // From standard input, so that the list of processes does not show the password.
      input: Object.entries(await this.settings())
        .map(([name, value]) => `${name} ${value}`)
        .join('\n'),
      stopSignal: 'SIGTERM',
      stopTimeoutMs,
      temporaryFolder: cluster?.folder,
    });
  }

  protected async ask(): Promise<void> {
    const answer = await this.command('PING');
    if (!answer.includes('+PONG')) throw new Error(`"${answer.trim()}" to PING`);
  }

  private async settings(): Promise<Record<string, string>> {
    const { password, cluster } = this.setUp;
    const settings = {
      bind: '127.0.0.1',
      port: String(this.port),
      requirepass: password,
      save: '""',
      appendonly: 'no',
      daemonize: 'no',
    };
    if (cluster === undefined) return settings;
    // The same at each start: the others look for it there. Without the setting it is 10,000 above the port, often none.
    this.#busPort ??= await findFreePort();
    return {
      ...settings,
      'cluster-enabled': 'yes',
      'cluster-port': String(this.#busPort),
      ...(this.#announcedPort === undefined ? {} : { 'cluster-announce-port': String(this.#announcedPort) }),
      dir: cluster.folder,
      ...cluster.settings,
    };
  }
}
