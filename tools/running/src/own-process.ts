import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { GuardedProcess, describeEnd } from '@waggle/testing';
import { PlainError } from './plain-error';
import { repositoryFolder } from './repository-folder';
import { type Running } from './running';

/** Each poll of a service that is starting takes a millisecond of CPU. */
const pollIntervalMs = 50;

/** Short, because the clients of a server end before it. */
const defaultStopTimeoutMs = 5_000;

export interface OwnProcessOptions {
  /** For error messages. */
  name: string;
  /** Path of the script, relative to the repository. */
  script: string;
  /** Another built checkout of the repository whose script to run. */
  checkout?: string | undefined;
  nodeArguments?: readonly string[];
  scriptArguments?: readonly string[];
  environment?: Record<string, string>;
  /** Written to its standard input. */
  input?: string;
  /** Called with each line of output, which `line` then does not see. */
  onLine?: (line: string) => void;
  /** How long it may take to shut down before it is killed. */
  stopTimeoutMs?: number;
}

/** Runs one of our scripts in its own process, which ends with the command that started it. */
export class OwnProcess {
  private readonly lines: string[] = [];
  private startedChild: GuardedProcess | undefined;
  /** Set after its last output is read. */
  private endedWith: string | undefined;
  private onChange: () => void = () => undefined;

  private constructor(
    private readonly running: Running,
    private readonly name: string,
  ) {}

  static async start(running: Running, options: OwnProcessOptions): Promise<OwnProcess> {
    const {
      name,
      script,
      checkout = repositoryFolder,
      nodeArguments = [],
      scriptArguments = [],
      environment,
      input,
      onLine,
    } = options;
    const { stopTimeoutMs = defaultStopTimeoutMs } = options;
    running.signal.throwIfAborted();
    const file = path.join(checkout, script);
    if (!existsSync(file)) throw new PlainError(`${file} is not there: build it first (npx nx run-many -t build).`);
    const started = new OwnProcess(running, name);
    started.startedChild = await GuardedProcess.start(process.execPath, [...nodeArguments, file, ...scriptArguments], {
      cwd: checkout,
      env: { PATH: process.env['PATH'], ...environment },
      stopSignal: 'SIGTERM',
      stopTimeoutMs,
      input,
      onLine:
        onLine ??
        ((line) => {
          started.lines.push(line);
          started.onChange();
        }),
    });
    void started.child.ended.then((end) => {
      started.endedWith = describeEnd(end);
      started.onChange();
    });
    return running.use(started);
  }

  get pid(): number {
    return this.child.pid;
  }

  /**
   * Waits for the next line of output that begins with a text, and drops the lines before it.
   *
   * @throws Error if it does not come in time, or if the process ends
   */
  async line(beginning: string, timeoutMs: number): Promise<string> {
    const deadline = new AbortController();
    const late = setTimeout(timeoutMs, true, { signal: deadline.signal }).catch(() => false);
    try {
      for (;;) {
        const change = new Promise<false>((resolve) => {
          this.onChange = () => {
            resolve(false);
          };
        });
        const index = this.lines.findIndex((line) => line.startsWith(beginning));
        const line = this.lines.splice(0, index + 1).at(-1);
        if (line !== undefined) return line;
        if (this.endedWith !== undefined) throw this.failure(`ended with ${this.endedWith}`);
        if (await Promise.race([change, late, this.running.stopped])) {
          throw this.failure(`printed no line that begins with "${beginning}" within ${timeoutMs} ms`);
        }
      }
    } finally {
      deadline.abort();
    }
  }

  /** Polls a condition. @throws Error if it is not met in time, or if the process or the command ends */
  async until(what: string, timeoutMs: number, isMet: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + timeoutMs;
    // A server that does not listen yet refuses connections.
    while (!(await isMet().catch(() => false))) {
      this.running.signal.throwIfAborted();
      if (this.endedWith !== undefined) throw this.failure(`ended with ${this.endedWith}`);
      if (Date.now() > deadline) throw this.failure(`is not ${what} within ${timeoutMs} ms`);
      await setTimeout(pollIntervalMs);
    }
  }

  /** Waits until the process ends by itself. @throws Error if it fails */
  async finished(): Promise<void> {
    const end = await Promise.race([this.child.ended, this.running.stopped]);
    if (end.code !== 0) throw this.failure(`ended with ${describeEnd(end)}`);
  }

  /** Sends SIGUSR2: a process that loads `collect-garbage` of tools/bench then collects its garbage. */
  collectGarbage(): void {
    process.kill(this.pid, 'SIGUSR2');
  }

  /** Waits until the process ends. @returns how, such as "exit code 1" or "SIGKILL" */
  async whenEnded(): Promise<string> {
    return describeEnd(await this.child.ended);
  }

  /** The last lines of its output. */
  get lastLines(): readonly string[] {
    return this.child.lastLines;
  }

  /** Freezes the process: connections stay open, nothing responds. */
  pause(): void {
    this.child.pause();
  }

  resume(): void {
    this.child.resume();
  }

  /** Shuts the process down; kills it if that takes too long. */
  async stop(): Promise<void> {
    await this.child.stop();
  }

  async kill(): Promise<void> {
    await this.child.kill();
  }

  /** Kills the process instead of waiting for its shutdown. */
  async discard(): Promise<void> {
    await this.kill();
    await this.running.end(this);
  }

  /** Returns an error that shows the last lines of its output. */
  failure(what: string): PlainError {
    const lines = this.lastLines.map((line) => `\n  ${line}`).join('');
    return new PlainError(`The ${this.name} ${what}.${lines === '' ? '' : ` Its last lines:${lines}`}`);
  }

  private get child(): GuardedProcess {
    if (this.startedChild === undefined) throw new Error('it has not been started');
    return this.startedChild;
  }
}
