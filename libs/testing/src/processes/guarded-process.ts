import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { type Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../until';
import { Guard, type GuardOptions } from './guard';
import { childrenOf, findProcess } from './inspect';
import { hasCode } from './system-error';

/** Number of output lines that explain an unexpected end. */
const maxKeptLines = 30;

/** Maximum time to wait for output after the process exits. */
const lastOutputTimeoutMs = 500;

export interface GuardedProcessOptions extends GuardOptions {
  cwd?: string | undefined;
  env?: NodeJS.ProcessEnv | undefined;
  /** The user of the process; only root may choose it. */
  user?: { uid: number; gid: number } | undefined;
  /** Written to the standard input, which is then closed. */
  input?: string | undefined;
  /** Called with each line of standard output and standard error. */
  onLine?: ((line: string) => void) | undefined;
}

/** How a process ended: an exit code, or the signal that killed it. */
export interface ProcessEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** Returns "exit code 1" or "SIGKILL". */
export function describeEnd({ code, signal }: ProcessEnd): string {
  return signal ?? `exit code ${code ?? 'unknown'}`;
}

/**
 * Waits for a line on file descriptor 3 and executes the command; ends if the pipe closes, because the parent ended.
 */
const waitThenExecute = 'read -r word <&3 && exec "$@" 3<&-';

/**
 * A child process that ends with its parent, even if the parent is killed, and does not keep the parent running. Tests
 * and tools start services and servers with it.
 *
 * It has a separate session, so that Ctrl-C in the terminal reaches only the parent, which stops its children in order.
 */
export class GuardedProcess {
  /** Resolves when the process is over and its output is read. Waiting does not keep this process alive. */
  readonly ended: Promise<ProcessEnd>;
  readonly pid: number;
  private end: ProcessEnd | undefined;
  private readonly lines: string[] = [];

  private constructor(
    private readonly child: ChildProcess,
    private readonly guard: Guard,
    pid: number,
    private readonly options: GuardedProcessOptions,
  ) {
    this.pid = pid;
    for (const stream of [child.stdout, child.stderr]) if (stream !== null) this.read(stream);
    this.ended = this.awaitExit();
    child.unref();
  }

  /**
   * Rejects with the error of the operating system if no process can be started in the folder or as the user. A command
   * that does not exist ends with exit code 127.
   */
  static async start(command: string, args: string[], options: GuardedProcessOptions): Promise<GuardedProcess> {
    const guard = new Guard(options);
    const child = spawn('/bin/sh', ['-c', waitThenExecute, 'waggle-start', command, ...args], {
      cwd: options.cwd,
      env: options.env,
      ...options.user,
      detached: true,
      stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe', 'pipe'],
    });
    if (child.pid === undefined) {
      const [error] = (await once(child, 'error')) as [Error];
      await guard.release();
      throw error;
    }
    guard.watch(child.pid);
    // The command may start now that the guard knows its process.
    const startPipe = child.stdio[3];
    if (startPipe instanceof Writable) startPipe.on('error', () => undefined).end('start\n');
    const started = new GuardedProcess(child, guard, child.pid, options);
    if (child.stdin !== null) {
      // The output explains why a process ended before it read its input.
      child.stdin.on('error', () => undefined);
      child.stdin.end(options.input);
    }
    return started;
  }

  /** The end of the process; undefined while it runs. */
  get endedWith(): ProcessEnd | undefined {
    return this.end;
  }

  /** The last lines of standard output and standard error. */
  get lastLines(): readonly string[] {
    return this.lines;
  }

  /** Signals the process to end and waits; kills it after the timeout. */
  async stop(): Promise<ProcessEnd> {
    this.signal(this.options.stopSignal);
    // A paused process does not handle the signal.
    this.resume();
    const timer = setTimeout(() => {
      this.signal('SIGKILL');
    }, this.options.stopTimeoutMs);
    try {
      return await this.waitForEnd();
    } finally {
      clearTimeout(timer);
    }
  }

  /** Kills the process and its children, so that the same server can be started again. */
  async kill(): Promise<ProcessEnd> {
    const children = this.children();
    this.signal('SIGKILL');
    for (const child of children) signalIfAlive(child, 'SIGKILL');
    const end = await this.waitForEnd();
    await until(() => children.every((child) => findProcess(child) === undefined));
    return end;
  }

  /** Freezes the process and its children: connections stay open without responses. */
  pause(): void {
    this.signal('SIGSTOP');
    for (const child of this.children()) signalIfAlive(child, 'SIGSTOP');
  }

  resume(): void {
    for (const child of this.children()) signalIfAlive(child, 'SIGCONT');
    this.signal('SIGCONT');
  }

  private signal(signal: NodeJS.Signals): void {
    if (this.end === undefined) this.child.kill(signal);
  }

  private children(): number[] {
    return this.end === undefined ? childrenOf(this.pid) : [];
  }

  private async waitForEnd(): Promise<ProcessEnd> {
    this.child.ref();
    return await this.ended;
  }

  private async awaitExit(): Promise<ProcessEnd> {
    const closed = once(this.child, 'close');
    const [code, signal] = (await once(this.child, 'exit')) as [number | null, NodeJS.Signals | null];
    const end = { code, signal };
    this.end = end;
    // The last output may still be in the pipes, which its children may hold open.
    const timeout = new AbortController();
    await Promise.race([
      closed,
      delay(lastOutputTimeoutMs, undefined, { signal: timeout.signal }).catch(() => undefined),
    ]);
    timeout.abort();
    await this.guard.release();
    return end;
  }

  private read(stream: Readable): void {
    if (stream instanceof Socket) stream.unref();
    createInterface({ input: stream }).on('line', (line) => {
      this.lines.push(line);
      if (this.lines.length > maxKeptLines) this.lines.shift();
      this.options.onLine?.(line);
    });
  }
}

function signalIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!hasCode(error, 'ESRCH')) throw error;
  }
}
