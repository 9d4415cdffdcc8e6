import path from 'node:path';
import { findFreePort, GuardedProcess, until } from '@waggle/testing';
import { ChatClient } from '../support/chat-client';

const main = path.join(__dirname, '../../dist/main.js');

/** How a process ended: an exit code, or the signal that killed it. */
type ProcessEnd = Awaited<GuardedProcess['ended']>;

/** The service as it is deployed: `node dist/main.js`, and what clients do with it. */
export class ChatProcess extends ChatClient {
  private constructor(
    private readonly process: GuardedProcess,
    url: string,
  ) {
    super(url);
  }

  /** Resolves when it is ready. @throws Error with its last lines if it ends before */
  static async start(environment: Record<string, string>): Promise<ChatProcess> {
    const port = await findFreePort();
    const chat = new ChatProcess(await runChat({ ...environment, PORT: String(port) }), `http://127.0.0.1:${port}`);
    await chat.ready();
    return chat;
  }

  /** Undefined while it runs. */
  get endedWith(): ProcessEnd | undefined {
    return this.process.endedWith;
  }

  /** The last lines of its output. */
  get lastLines(): readonly string[] {
    return this.process.lastLines;
  }

  /** SIGTERM. */
  stop(): Promise<ProcessEnd> {
    return this.process.stop();
  }

  /** SIGKILL. */
  kill(): Promise<ProcessEnd> {
    return this.process.kill();
  }

  private ready() {
    return until(async () => {
      if (this.process.endedWith !== undefined) throw new Error(this.process.lastLines.join('\n'));
      const response = await this.get('/health/ready').catch(() => undefined);
      return response?.status === 200;
    });
  }
}

/** Starts the service and waits for nothing. */
export function runChat(environment: Record<string, string>): Promise<GuardedProcess> {
  return GuardedProcess.start(process.execPath, [main], {
    env: { HOST: '127.0.0.1', DRAIN_DELAY_SECONDS: '0', ...environment },
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 30_000,
  });
}
