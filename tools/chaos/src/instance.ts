import { setTimeout } from 'node:timers/promises';
import { type ChatInstance, type ChatSurroundings, type Running, startChat } from '@waggle/running';

/** The service ends within 35 s of SIGTERM. */
const stopTimeoutMs = 40_000;

/** What it needs may be away too when it is started: it is started again until this time is over. */
const startTimeoutMs = 120_000;
const startAgainMs = 500;

/** One chat instance, which is killed, ended and frozen, and started again. */
export class Instance {
  #chat: ChatInstance | undefined;
  /** Set while it is we who end it. */
  #isEnding = false;

  constructor(
    readonly name: string,
    private readonly running: Running,
    private readonly surroundings: ChatSurroundings,
    /** Called when it has ended by itself, or has not ended as it was asked to. */
    private readonly onFailure: (what: string) => void,
  ) {}

  /** Where it takes connections; undefined while it does not run. */
  get port(): number | undefined {
    return this.#chat === undefined ? undefined : Number(new URL(this.#chat.url).port);
  }

  /** Resolves when it is ready. @throws Error where it does not get ready */
  async start(): Promise<void> {
    const deadlineMs = performance.now() + startTimeoutMs;
    for (;;) {
      try {
        this.#chat = await startChat(this.running, this.surroundings, { stopTimeoutMs });
        break;
      } catch (error) {
        this.running.signal.throwIfAborted();
        if (performance.now() > deadlineMs) throw error;
        await setTimeout(startAgainMs);
      }
    }
    this.#isEnding = false;
    const { process } = this.#chat;
    void process.whenEnded().then((end) => {
      if (this.#chat?.process === process && !this.#isEnding && !this.running.signal.aborted)
        this.onFailure(`${this.name} ended by itself with ${end}: ${process.lastLines.slice(-40).join(' | ')}`);
    });
  }

  /** SIGKILL. */
  async kill(): Promise<void> {
    await this.#end(({ process }) => process.kill());
  }

  /** SIGTERM, and waits until it has ended by itself. */
  async drain(): Promise<void> {
    await this.#end(async ({ process }) => {
      await process.stop();
      const end = await process.whenEnded();
      if (end !== 'exit code 0') this.onFailure(`${this.name} ended with ${end} after SIGTERM`);
    });
  }

  /** SIGSTOP: connections stay open, nothing answers. */
  pause(): void {
    this.#chat?.process.pause();
  }

  resume(): void {
    this.#chat?.process.resume();
  }

  async #end(end: (chat: ChatInstance) => Promise<void>): Promise<void> {
    const chat = this.#chat;
    if (chat === undefined) return;
    this.#isEnding = true;
    await end(chat);
    this.#chat = undefined;
    await this.running.end(chat.process);
  }
}
