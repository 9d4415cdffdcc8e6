import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { PlainError, repositoryFolder } from '@waggle/running';
import {
  AlreadyClaimedError,
  GuardedProcess,
  claim,
  describeEnd,
  type PostgresServer,
  provideDatabase,
  startPostgres,
} from '@waggle/testing';
import { Client, escapeIdentifier } from 'pg';
import { portOf, requireFreePort } from '../ports';
import { type CloneState } from './clone';
import { type Program, type ProgramContext } from './programs';

const readyTimeoutMs = 60_000;

/** The services end within 35 s of SIGTERM. */
const stopTimeoutMs = 40_000;

interface Part {
  name: string;
  stop: () => Promise<unknown>;
  kill: () => Promise<unknown>;
}

/** Runs PostgreSQL, the devnet and the services, each in a child process that ends with this one. */
export class LocalStack {
  readonly #parts: Part[] = [];
  readonly #stop = new AbortController();

  constructor(
    private readonly programs: Program[],
    private readonly state: CloneState,
    private readonly say: (line: string) => void,
  ) {}

  /**
   * Starts everything, calls `onReady`, and resolves when everything has stopped.
   *
   * @throws PlainError if a port is taken, another stack of this clone runs, or a part ends by itself
   */
  async run(onReady: () => void): Promise<void> {
    const release = this.#claim();
    // Keeps this process alive, which its children do not.
    const alive = setInterval(() => undefined, 1_000_000);
    try {
      for (const { port } of this.programs) await requireFreePort(port, process.env);
      await this.#start();
      onReady();
      await this.#untilStopped();
    } catch (error) {
      if (!this.#stop.signal.aborted) throw error;
    } finally {
      await this.#stopAll();
      clearInterval(alive);
      release();
    }
    const reason: unknown = this.#stop.signal.reason;
    if (reason instanceof PlainError) throw reason;
  }

  /** Starts the shutdown; `run` resolves when it is complete. */
  stop(): void {
    this.#stop.abort();
  }

  /** Kills what still runs, except PostgreSQL, which stops quickly. */
  kill(): void {
    for (const part of this.#parts) void part.kill();
  }

  #claim(): () => void {
    try {
      return claim(this.state.claimFile);
    } catch (error) {
      if (!(error instanceof AlreadyClaimedError)) throw error;
      throw new PlainError(`npm start runs in this folder already (process ${error.pid}): use it, or stop it first.`);
    }
  }

  async #start(): Promise<void> {
    this.say('Starting PostgreSQL.');
    const password = this.state.postgresPassword();
    const postgres = await startPostgres({ dataDir: this.state.postgresData(), password }).catch((error: unknown) => {
      throw new PlainError(error instanceof Error ? error.message : String(error));
    });
    this.#parts.push({ name: 'PostgreSQL', stop: () => postgres.stop(), kill: () => Promise.resolve() });
    void postgres.whenEnded().then((sentence) => {
      this.#diedUnlessStopping(sentence);
    });
    for (const program of this.programs) {
      this.#throwIfStopped();
      this.say(`Starting the ${program.name}.`);
      const databaseUrl = program.database === undefined ? '' : await databaseOf(postgres, program.database);
      await this.#startProgram(program, databaseUrl);
    }
  }

  async #startProgram(program: Program, databaseUrl: string): Promise<void> {
    const port = portOf(program.port, process.env);
    const url = `http://127.0.0.1:${port}`;
    const context: ProgramContext = {
      url,
      port,
      devnetUrl: this.#devnetUrl(),
      databaseUrl,
      tokenKeyFile: () => this.state.tokenKeyFile(program.name),
    };
    const env = {
      PATH: process.env['PATH'],
      HOST: '127.0.0.1',
      PORT: String(port),
      LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'warn',
      // No load balancer has to notice that an instance stops.
      DRAIN_DELAY_SECONDS: '0',
      ...program.environment(context),
    };
    if (program.migrate !== undefined) await this.#migrate(program.name, program.migrate, env);
    const onLine = program.isSilent
      ? undefined
      : (line: string) => {
          this.say(`${program.name} | ${line}`);
        };
    const child = await this.#spawn(program.name, program.main, env, onLine);
    void child.ended.then(() => {
      this.#diedUnlessStopping(ending(program.name, child));
    });
    const deadline = Date.now() + readyTimeoutMs;
    // It rejects connections until it listens.
    while (!(await program.isReady(url).catch(() => false))) {
      this.#throwIfStopped();
      if (Date.now() > deadline) throw new PlainError(`The ${program.name} is not ready in time.${lastLines(child)}`);
      await setTimeout(50);
    }
    await program.fill?.(url);
  }

  async #migrate(name: string, script: string, env: NodeJS.ProcessEnv): Promise<void> {
    const child = await this.#spawn(`${name} migration`, script, env);
    const { code } = await child.ended;
    this.#throwIfStopped();
    if (code !== 0) throw new PlainError(ending(`${name} migration`, child));
  }

  async #spawn(
    name: string,
    script: string,
    env: NodeJS.ProcessEnv,
    onLine?: (line: string) => void,
  ): Promise<GuardedProcess> {
    this.#throwIfStopped();
    const child = await GuardedProcess.start(process.execPath, [path.join(repositoryFolder, script)], {
      cwd: repositoryFolder,
      env,
      stopSignal: 'SIGTERM',
      stopTimeoutMs,
      onLine,
    });
    this.#parts.push({ name, stop: () => child.stop(), kill: () => child.kill() });
    return child;
  }

  #devnetUrl(): string {
    const devnet = this.programs.find(({ name }) => name === 'devnet');
    return devnet === undefined ? '' : `http://127.0.0.1:${portOf(devnet.port, process.env)}`;
  }

  #diedUnlessStopping(sentence: string): void {
    this.#stop.abort(new PlainError(sentence));
  }

  #throwIfStopped(): void {
    this.#stop.signal.throwIfAborted();
  }

  async #untilStopped(): Promise<void> {
    const { signal } = this.#stop;
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => {
        resolve();
      });
    });
  }

  async #stopAll(): Promise<void> {
    this.#stop.abort();
    while (this.#parts.length > 0) {
      await this.#parts.at(-1)?.stop();
      this.#parts.pop();
    }
  }
}

async function databaseOf(
  postgres: PostgresServer,
  { name, isFresh = false }: NonNullable<Program['database']>,
): Promise<string> {
  if (isFresh) await dropDatabase(postgres, name);
  return await provideDatabase(postgres, name);
}

/** Drops a database if it exists. */
async function dropDatabase(server: PostgresServer, name: string): Promise<void> {
  const client = new Client({ connectionString: server.url() });
  await client.connect();
  try {
    await client.query(`DROP DATABASE IF EXISTS ${escapeIdentifier(name)} WITH (FORCE)`);
  } finally {
    await client.end();
  }
}

function ending(name: string, child: GuardedProcess, end = child.endedWith): string {
  return `The ${name} ended unexpectedly with ${end === undefined ? 'no exit code' : describeEnd(end)}.${lastLines(child)}`;
}

function lastLines(child: GuardedProcess): string {
  return child.lastLines.length === 0
    ? ''
    : ` Its last lines:\n${child.lastLines.map((line) => `  ${line}`).join('\n')}`;
}
