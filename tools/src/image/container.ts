import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describeEnd, GuardedProcess } from '@waggle/testing';
import { type Running } from '../running/running';
import { type AssembledImage } from './assembled-image';

/** A drain ends within 35 s. */
const stopTimeoutMs = 40_000;
const readyTimeoutMs = 60_000;
const answerTimeoutMs = 5_000;

export interface ContainerOptions {
  /** Replaces the image's own command, as an argument of `docker run` does. */
  command?: string[];
  environment: Readonly<Record<string, string>>;
  /** The Node that stands for the image's; that of this process by default. */
  node?: string | undefined;
}

/**
 * An assembled image, started as an engine would: its environment and ours and nothing else, no PATH, in its folder, as its
 * user where we are root and may choose.
 */
export class Container {
  private constructor(
    private readonly image: AssembledImage,
    private readonly options: ContainerOptions,
    private readonly process: GuardedProcess,
  ) {}

  static async start(running: Running, image: AssembledImage, options: ContainerOptions): Promise<Container> {
    const container = new Container(image, options, await start(image, options));
    return running.keep(container);
  }

  /** Resolves when it has ended by itself. @throws Error when it failed */
  async finished(): Promise<void> {
    const end = await this.process.ended;
    if (end.code !== 0) throw this.#failure(`ended with ${describeEnd(end)}`);
  }

  /** @throws Error when it ends before it is ready, or takes too long */
  async ready(): Promise<void> {
    const deadline = Date.now() + readyTimeoutMs;
    while (!(await this.#isReady())) {
      if (this.process.endedWith !== undefined)
        throw this.#failure(`ended with ${describeEnd(this.process.endedWith)}`);
      if (Date.now() > deadline) throw this.#failure(`is not ready within ${readyTimeoutMs} ms`);
      await setTimeout(50);
    }
  }

  /** Runs the image's own health check beside it. @throws Error when it fails */
  async checkHealth(): Promise<void> {
    const [command = '', ...words] = this.image.healthCheck;
    const check = await start({ ...this.image, entryPoint: [command] }, { ...this.options, command: words });
    const end = await check.ended;
    if (end.code !== 0) throw this.#failure(`fails its health check: ${describeEnd(end)}`);
  }

  /** SIGTERM. @throws Error when it does not end in good order */
  async drain(): Promise<void> {
    const end = await this.process.stop();
    if (end.code !== 0) throw this.#failure(`ended with ${describeEnd(end)} on SIGTERM`);
  }

  async stop(): Promise<void> {
    await this.process.stop();
  }

  async kill(): Promise<void> {
    await this.process.kill();
  }

  async #isReady(): Promise<boolean> {
    const { HOST = '', PORT = '' } = this.options.environment;
    try {
      const url = `http://${HOST}:${PORT}/health/ready`;
      const answer = await fetch(url, { signal: AbortSignal.timeout(answerTimeoutMs) });
      await answer.arrayBuffer();
      return answer.ok;
    } catch {
      return false; // Nothing listens yet.
    }
  }

  #failure(what: string): Error {
    const title = this.image.labels.get('org.opencontainers.image.title') ?? 'the image';
    const command = (this.options.command ?? this.image.command).join(' ');
    return new Error(`${title} ${command} ${what}: ${this.process.lastLines.join('\n  ')}`);
  }
}

function start(image: AssembledImage, { command = image.command, environment, node }: ContainerOptions) {
  const [program, ...words] = [...image.entryPoint, ...command];
  if (program !== 'node') throw new Error(`an image of ours runs node, not ${program ?? 'nothing'}`);
  const [uid = NaN, gid = NaN] = image.user.split(':').map(Number);
  return GuardedProcess.start(node ?? process.execPath, words, {
    cwd: path.join(image.folder, image.workingFolder),
    env: { ...Object.fromEntries(image.environment), ...environment },
    user: process.getuid?.() === 0 ? { uid, gid } : undefined,
    stopSignal: 'SIGTERM',
    stopTimeoutMs,
  });
}
