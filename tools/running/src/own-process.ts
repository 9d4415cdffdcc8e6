import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { repositoryFolder } from './repository-folder';
import { GuardedProcess, describeEnd } from '@waggle/testing';
import { PlainError } from './plain-error';
import { type Running } from './running';

/** A server that is to end has nothing to finish: its clients have ended before. */
const defaultStopTimeoutMs = 5_000;

export interface OwnProcessOptions {
  /** What to call it in errors. */
  name: string;
  /** The script, relative to the repository. */
  script: string;
  /** Another built checkout of the repository, whose script is run. */
  checkout?: string | undefined;
  nodeArguments?: readonly string[];
  /** What follows the script. */
  scriptArguments?: readonly string[];
  environment?: Record<string, string>;
  /** Written to its standard input. */
  input?: string;
  /** How long it may take to end in good order. */
  stopTimeoutMs?: number;
}

/** A script of ours that runs in a process of its own, and what it says. It ends with the command that has started it. */
export class OwnProcess {
  readonly #lines: string[] = [];
  #child: GuardedProcess | undefined;
  /** Set when its last output has been read. */
  #endedWith: string | undefined;
  #onChange: () => void = () => undefined;

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
    } = options;
    const { stopTimeoutMs = defaultStopTimeoutMs } = options;
    running.signal.throwIfAborted();
    const file = path.join(checkout, script);
    if (!existsSync(file)) throw new PlainError(`${file} is not there: build it first (npx nx run-many -t build).`);
    const started = new OwnProcess(running, name);
    started.#child = await GuardedProcess.start(process.execPath, [...nodeArguments, file, ...scriptArguments], {
      cwd: checkout,
      env: { PATH: process.env['PATH'], ...environment },
      stopSignal: 'SIGTERM',
      stopTimeoutMs,
      input,
      onLine: (line) => {
        started.#lines.push(line);
        started.#onChange();
      },
    });
    void started.child.ended.then((end) => {
      started.#endedWith = describeEnd(end);
      started.#onChange();
    });
    return running.keep(started);
  }

  get pid(): number {
    return this.child.pid;
  }

  /**
   * The first line from now on that begins with the text; lines before it are dropped.
   *
   * @throws Error when it does not come in time, or when the process ends before
   */
  async line(beginning: string, timeoutMs: number): Promise<string> {
    const deadline = new AbortController();
    const late = setTimeout(timeoutMs, true, { signal: deadline.signal }).catch(() => false);
    try {
      for (;;) {
        const change = new Promise<false>((resolve) => {
          this.#onChange = () => {
            resolve(false);
          };
        });
        const index = this.#lines.findIndex((line) => line.startsWith(beginning));
        const line = this.#lines.splice(0, index + 1).at(-1);
        if (line !== undefined) return line;
        if (this.#endedWith !== undefined) throw this.#failure(`ended with ${this.#endedWith}`);
        if (await Promise.race([change, late, this.running.stopped])) {
          throw this.#failure(`said nothing that begins with "${beginning}" within ${timeoutMs} ms`);
        }
      }
    } finally {
      deadline.abort();
    }
  }

  /** @throws Error when it ends, or the condition is not met in time; the command's end included */
  async until(what: string, timeoutMs: number, isMet: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + timeoutMs;
    // What is not there yet refuses connections.
    while (!(await isMet().catch(() => false))) {
      this.running.signal.throwIfAborted();
      if (this.#endedWith !== undefined) throw this.#failure(`ended with ${this.#endedWith}`);
      if (Date.now() > deadline) throw this.#failure(`is not ${what} within ${timeoutMs} ms`);
      await setTimeout(20);
    }
  }

  /** Resolves when it has ended by itself. @throws Error when it failed */
  async finished(): Promise<void> {
    const end = await Promise.race([this.child.ended, this.running.stopped]);
    if (end.code !== 0) throw this.#failure(`ended with ${describeEnd(end)}`);
  }

  /** SIGUSR2, by which a process with `collect-garbage` collects its garbage. */
  signal(): void {
    process.kill(this.pid, 'SIGUSR2');
  }

  /** Resolves with how it ended, for whatever reason: "exit code 1", "SIGKILL". */
  async whenEnded(): Promise<string> {
    return describeEnd(await this.child.ended);
  }

  /** What it said last. */
  get lastLines(): readonly string[] {
    return this.child.lastLines;
  }

  /** Freezes it: connections stay open, nothing answers. */
  pause(): void {
    this.child.pause();
  }

  resume(): void {
    this.child.resume();
  }

  /** Asks it to end and waits; kills it when it takes too long. */
  async stop(): Promise<void> {
    await this.child.stop();
  }

  async kill(): Promise<void> {
    await this.child.kill();
  }

  /** Ends it now, where it would take long to end in good order. */
  async discard(): Promise<void> {
    await this.kill();
    await this.running.end(this);
  }

  private get child(): GuardedProcess {
    if (this.#child === undefined) throw new Error('it has not been started');
    return this.#child;
  }

  #failure(what: string): Error {
    const said = this.child.lastLines.slice(-5).join(' | ');
    return new Error(`the ${this.name} ${what}${said === '' ? '' : `: ${said}`}`);
  }
}
