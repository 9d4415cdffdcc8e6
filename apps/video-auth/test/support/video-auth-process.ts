import path from 'node:path';
import { findFreePort, GuardedProcess } from '@waggle/testing';
import { VideoAuthClient } from './video-auth-client';

const dist = path.join(__dirname, '../../dist');

/** The service as it is deployed: `node dist/main.js`, and what clients do with it. */
export class VideoAuthProcess extends VideoAuthClient {
  private constructor(
    readonly process: GuardedProcess,
    url: string,
  ) {
    super(url);
  }

  /** Resolves when it listens. @throws Error with its last lines if it ends before */
  static async start(
    environment: Record<string, string>,
    onLine: (line: string) => void = () => undefined,
  ): Promise<VideoAuthProcess> {
    const port = environment['PORT'] ?? String(await findFreePort());
    let isListening: () => void = () => undefined;
    const listening = new Promise<void>((resolve) => (isListening = resolve));
    const process = await runScript(
      'main.js',
      [],
      { HOST: '127.0.0.1', DRAIN_DELAY_SECONDS: '0', ...environment, PORT: port },
      (line) => {
        onLine(line);
        if (line.includes('"msg":"listening"')) isListening();
      },
    );
    await Promise.race([listening, process.ended]);
    if (process.endedWith !== undefined) throw new Error(process.lastLines.join('\n'));
    return new VideoAuthProcess(process, `http://127.0.0.1:${port}`);
  }
}

/** Starts a script of the build. */
export function runScript(
  name: string,
  args: readonly string[] = [],
  environment: Record<string, string> = {},
  onLine?: (line: string) => void,
): Promise<GuardedProcess> {
  return GuardedProcess.start(process.execPath, [path.join(dist, name), ...args], {
    env: { PATH: process.env['PATH'], ...environment },
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 30_000,
    onLine,
  });
}
