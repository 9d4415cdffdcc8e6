import { setTimeout } from 'node:timers/promises';
import { findFreePort } from './free-port';
import { waitLimitMs } from '../until';
import { type GuardedProcess } from './guarded-process';

/**
 * A server process on a port of 127.0.0.1, which ends when this process ends. Tests may freeze it, kill it and start it
 * again.
 */
export abstract class LocalServer {
  protected process: GuardedProcess | undefined;

  /** @param name for errors */
  constructor(
    private readonly name: string,
    readonly port: number,
  ) {}

  /** The server's process; undefined before `start`, and after `kill` and `stop`. */
  get pid(): number | undefined {
    return this.process?.pid;
  }

  /**
   * Starts the server, on the same port after `kill`, and resolves when it responds.
   *
   * @throws ServerStartError
   */
  async start(): Promise<void> {
    const server = await this.launch();
    this.process = server;
    const deadline = Date.now() + waitLimitMs;
    for (;;) {
      const failure = await this.ping().then(
        () => undefined,
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      );
      if (failure === undefined) return;
      if (server.endedWith !== undefined) throw new ServerStartError(this.name, lastOutput(server));
      if (Date.now() > deadline) {
        await server.kill();
        throw new ServerStartError(this.name, `it does not respond: ${failure}`);
      }
      await setTimeout(10);
    }
  }

  /** Freezes the server: connections stay open without responses. */
  pause(): void {
    this.process?.pause();
  }

  resume(): void {
    this.process?.resume();
  }

  /** Kills the server and its children. */
  async kill(): Promise<void> {
    await this.process?.kill();
    this.process = undefined;
  }

  /**
   * Shuts the server down and starts it again on the same port. Does not call `stop`, which also deletes data in
   * subclasses.
   */
  async restart(): Promise<void> {
    await this.process?.stop();
    await this.start();
  }

  async stop(): Promise<void> {
    await this.process?.stop();
    this.process = undefined;
  }

  protected abstract launch(): Promise<GuardedProcess>;

  /**
   * Resolves if the server on the port accepts the credentials of this one, so that another program is not mistaken for
   * it.
   */
  protected abstract ping(): Promise<void>;
}

export function lastOutput(server: GuardedProcess): string {
  return server.lastLines.slice(-5).join(' | ');
}

export class ServerStartError extends Error {
  override readonly name = 'ServerStartError';

  constructor(server: string, reason: string) {
    super(`${server} did not start: ${reason}`);
  }

  /** Whether the server reported that another process uses the port. The texts come from the servers. */
  get portWasTaken(): boolean {
    return /could not bind|could not create any TCP\/IP sockets|Address already in use/.test(this.message);
  }
}

/** Number of ports that are tried if a free one is taken before the server listens. */
const portAttempts = 5;

/** @throws ServerStartError */
export async function startOnFreePort<Server extends LocalServer>(create: (port: number) => Server): Promise<Server> {
  for (let attempt = 1; ; attempt += 1) {
    const server = create(await findFreePort());
    try {
      await server.start();
      return server;
    } catch (error) {
      if (!(error instanceof ServerStartError && error.portWasTaken) || attempt === portAttempts) throw error;
    }
  }
}
