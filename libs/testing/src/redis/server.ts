import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { GuardedProcess } from '../processes/guarded-process';
import { type RedisProgram, environmentOf } from './binary';

/** Nothing is written at the end, so it takes milliseconds. */
const stopTimeoutMs = 5_000;
const startTimeoutMs = 10_000;

/** A Redis server of this process: it ends with it. Its data are in memory and gone after a stop or a kill. */
export class RedisServer {
  #process: GuardedProcess | undefined;

  /** Use `startRedis`. */
  constructor(
    private readonly program: RedisProgram,
    readonly port: number,
    private readonly password: string,
  ) {}

  get url(): string {
    return `redis://:${this.password}@127.0.0.1:${this.port}`;
  }

  /** The server's process; undefined while it does not run. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /**
   * Starts the server after `stop` or `kill` on the same port, empty, and resolves when it answers.
   *
   * @throws RedisStartError
   */
  async start(): Promise<void> {
    const server = await GuardedProcess.start(this.program.command, ['-'], {
      cwd: '/',
      env: environmentOf(this.program),
      // From standard input, so that the list of processes does not show the password.
      input: [
        'bind 127.0.0.1',
        `port ${this.port}`,
        `requirepass ${this.password}`,
        'save ""',
        'appendonly no',
        'daemonize no',
      ].join('\n'),
      stopSignal: 'SIGTERM',
      stopTimeoutMs,
    });
    this.#process = server;
    const deadline = Date.now() + startTimeoutMs;
    while (!(await this.#answers())) {
      if (server.endedWith !== undefined) throw new RedisStartError(server.lastLines.slice(-5).join(' | '));
      if (Date.now() > deadline) {
        await server.kill();
        throw new RedisStartError('it does not answer');
      }
      await setTimeout(10);
    }
  }

  /** Freezes the server: connections stay open, nothing answers. */
  pause(): void {
    this.#process?.pause();
  }

  resume(): void {
    this.#process?.resume();
  }

  /** SIGKILL. */
  async kill(): Promise<void> {
    await this.#process?.kill();
    this.#process = undefined;
  }

  async stop(): Promise<void> {
    await this.#process?.stop();
    this.#process = undefined;
  }

  /** Stops and starts on the same port; what was stored is gone. */
  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** Asks with our password, so that another program on the port is not taken for it. */
  async #answers(): Promise<boolean> {
    const socket = connect(this.port, '127.0.0.1');
    socket.setTimeout(1_000, () => socket.destroy());
    try {
      await once(socket, 'connect');
      socket.end(`AUTH ${this.password}\r\nPING\r\n`);
      let answer = '';
      for await (const chunk of socket) answer += String(chunk);
      return answer.includes('+PONG');
    } catch {
      return false; // Not yet listening.
    } finally {
      socket.destroy();
    }
  }
}

export class RedisStartError extends Error {
  override readonly name = 'RedisStartError';

  constructor(reason: string) {
    super(`Redis did not start: ${reason}`);
  }

  get portWasTaken(): boolean {
    return this.message.includes('Address already in use');
  }
}
