import { rmSync } from 'node:fs';
import { findFreePort } from '../processes/free-port';
import { GuardedProcess } from '../processes/guarded-process';
import { LocalServer } from '../processes/local-server';
import { type RedisProgram, environmentOf } from './binary';
import { askRedis } from './inline-commands';

/** Maximum duration of a shutdown. It takes milliseconds, because nothing is written at the end. */
const stopTimeoutMs = 5_000;

export interface RedisSetUp {
  program: RedisProgram;
  password: string;
  /** Settings of a cluster node. */
  cluster?: {
    /** The folder of its cluster state; removed after it. */
    folder: string;
    /** Further settings of redis.conf. */
    settings: Record<string, string>;
  };
}

/** A Redis server. Its data are in memory and lost after a stop or a kill; a cluster node keeps its cluster state. */
export class RedisServer extends LocalServer {
  /** The cluster bus port; undefined for a single Redis. */
  busPort: number | undefined;
  private announcedPort: number | undefined;

  /** Use `startRedis` or `startRedisCluster`. */
  constructor(
    private readonly setUp: RedisSetUp,
    port: number,
  ) {
    super('Redis', port);
  }

  get url(): string {
    return `redis://:${this.setUp.password}@127.0.0.1:${this.port}`;
  }

  /** Sends commands. @returns the replies, without that to `AUTH` */
  async command(...commands: string[]): Promise<string> {
    return (await askRedis(this.port, this.setUp.password, ...commands)).replace(/^\+OK\r\n/, '');
  }

  /** Makes a cluster node announce the port of a proxy in front of it to clients, also after a restart. */
  async announce(port: number): Promise<void> {
    this.announcedPort = port;
    const reply = await this.command(`CONFIG SET cluster-announce-port ${port}`);
    if (reply !== '+OK\r\n') throw new Error(`"${reply.trim()}" to the port that it is to announce`);
  }

  /** Stops the server and removes its cluster state. */
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

  protected async ping(): Promise<void> {
    const reply = await this.command('PING');
    if (!reply.includes('+PONG')) throw new Error(`"${reply.trim()}" to PING`);
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
    // The same at each start, since other nodes connect to it. The default, 10,000 above the port, is often not a valid
    // port.
    this.busPort ??= await findFreePort();
    return {
      ...settings,
      'cluster-enabled': 'yes',
      'cluster-port': String(this.busPort),
      ...(this.announcedPort === undefined ? {} : { 'cluster-announce-port': String(this.announcedPort) }),
      dir: cluster.folder,
      ...cluster.settings,
    };
  }
}
