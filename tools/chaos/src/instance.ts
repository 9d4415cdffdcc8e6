import { setTimeout } from 'node:timers/promises';
import { type Running, type ServiceProcess, type SharedChatSettings, startChat } from '@waggle/running';

/** The service exits within 35 s of SIGTERM. */
const stopTimeoutMs = 40_000;

/** How long starting is retried: PostgreSQL or Redis may be unavailable. */
const startTimeoutMs = 120_000;
const startRetryMs = 500;

/** A chat instance that can be killed, stopped, paused and started again. */
export class Instance {
  private chat: ServiceProcess | undefined;
  /** Set while it is being ended on purpose. */
  private isEnding = false;

  constructor(
    readonly name: string,
    private readonly running: Running,
    private readonly settings: SharedChatSettings,
    /** Called if it exits by itself, or with an error after SIGTERM. */
    private readonly onFailure: (failure: string) => void,
  ) {}

  /** Undefined while it is not running. */
  get port(): number | undefined {
    return this.chat === undefined ? undefined : Number(new URL(this.chat.url).port);
  }

  /** Resolves when it is ready. @throws Error if it does not become ready */
  async start(): Promise<void> {
    const deadlineMs = performance.now() + startTimeoutMs;
    for (;;) {
      try {
        this.chat = await startChat(this.running, this.settings, { stopTimeoutMs });
        break;
      } catch (error) {
        this.running.signal.throwIfAborted();
        if (performance.now() > deadlineMs) throw error;
        await setTimeout(startRetryMs);
      }
    }
    this.isEnding = false;
    const { process } = this.chat;
    void process.whenEnded().then((end) => {
      if (this.chat?.process === process && !this.isEnding && !this.running.signal.aborted)
        this.onFailure(`${this.name} exited by itself with ${end}: ${process.lastLines.slice(-40).join(' | ')}`);
    });
  }

  /** SIGKILL. */
  async kill(): Promise<void> {
    await this.end(({ process }) => process.kill());
  }

  /** Sends SIGTERM and waits until the process exits. */
  async drain(): Promise<void> {
    await this.end(async ({ process }) => {
      await process.stop();
      const end = await process.whenEnded();
      if (end !== 'exit code 0') this.onFailure(`${this.name} exited with ${end} after SIGTERM`);
    });
  }

  /** SIGSTOP: connections stay open, but nothing responds. */
  pause(): void {
    this.chat?.process.pause();
  }

  resume(): void {
    this.chat?.process.resume();
  }

  private async end(end: (chat: ServiceProcess) => Promise<void>): Promise<void> {
    const chat = this.chat;
    if (chat === undefined) return;
    this.isEnding = true;
    await end(chat);
    this.chat = undefined;
    await this.running.end(chat.process);
  }
}
