import { once } from 'node:events';
import { connect } from 'node:net';
import { GuardedProcess } from '../processes/guarded-process';
import { LocalServer } from '../processes/local-server';
import { type RedisProgram, environmentOf } from './binary';

/** Nothing is written at the end, so it takes milliseconds. */
const stopTimeoutMs = 5_000;
const startTimeoutMs = 10_000;

/** A Redis server. Its data are in memory and gone after a stop or a kill. */
export class RedisServer extends LocalServer {
  /** Use `startRedis`. */
  constructor(
    private readonly program: RedisProgram,
    port: number,
    private readonly password: string,
  ) {
    super('Redis', port, startTimeoutMs);
  }

  get url(): string {
    return `redis://:${this.password}@127.0.0.1:${this.port}`;
  }

  protected launch(): Promise<GuardedProcess> {
    return GuardedProcess.start(this.program.command, ['-'], {
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
  }

  protected async ask(): Promise<void> {
    const socket = connect(this.port, '127.0.0.1');
    socket.setTimeout(1_000, () => socket.destroy());
    try {
      await once(socket, 'connect');
      socket.end(`AUTH ${this.password}\r\nPING\r\n`);
      let answer = '';
      for await (const chunk of socket) answer += String(chunk);
      if (!answer.includes('+PONG')) throw new Error(`"${answer.trim()}" to PING`);
    } finally {
      socket.destroy();
    }
  }
}
