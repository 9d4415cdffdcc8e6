import path from 'node:path';
import { OwnProcess, type OwnProcessOptions, repositoryFolder, Running } from '@waggle/running';
import { afterAllFiles, waitLimitMs } from '@waggle/testing';
import { launchBrowser } from '@waggle/testing/browser';
import { type Browser } from 'playwright-core';

/** A process that runs one instance of the chat after another. */
interface ReusedProcess {
  process: OwnProcess;
  control: string;
  isServing: boolean;
}

interface Reused {
  readonly running: Running;
  browser?: Browser;
  chat?: ReusedProcess;
}

/** The test files of a worker share only the global object. */
declare global {
  var reusedByFiles: Reused | undefined;
}

/** What one test file starts and the next ones use, too: starting it took 5 s of CPU time for each file. */
function reused(): Reused {
  if (globalThis.reusedByFiles !== undefined) return globalThis.reusedByFiles;
  const started: Reused = { running: new Running() };
  globalThis.reusedByFiles = started;
  afterAllFiles(async () => {
    await started.browser?.close();
    await started.running.endAll();
  });
  return started;
}

/** A browser without flags. Its contexts share nothing. */
export async function reusedBrowser(): Promise<Browser> {
  const all = reused();
  if (all.browser?.isConnected() !== true) all.browser = await launchBrowser();
  return all.browser;
}

/** Starts the chat in the process that ran the instance before it, unless that was killed. */
export async function launchReused(
  _running: Running,
  { script, environment, ...options }: OwnProcessOptions,
): Promise<OwnProcess> {
  const all = reused();
  all.chat ??= await startProcess(all, script, options);
  await request(all.chat, '/start', environment);
  all.chat.isServing = true;
  return all.chat.process;
}

/** Shuts the chat down as at SIGTERM, if it runs. */
export async function stopReused(): Promise<void> {
  const { chat } = reused();
  if (chat?.isServing !== true) return;
  await request(chat, '/stop');
  chat.isServing = false;
}

async function startProcess(
  all: Reused,
  script: string,
  options: Omit<OwnProcessOptions, 'script' | 'environment'>,
): Promise<ReusedProcess> {
  const process = await OwnProcess.start(all.running, {
    ...options,
    script: 'tools/web/test/support/reused-process.cjs',
    scriptArguments: [path.join(repositoryFolder, script)],
    // Nothing is left to do when all files have ended.
    stopTimeoutMs: 100,
  });
  void process.whenEnded().then(() => delete all.chat);
  const [, port = ''] = (await process.line('control ', waitLimitMs)).split(' ');
  return { process, control: `http://127.0.0.1:${port}`, isServing: false };
}

async function request({ control }: ReusedProcess, command: '/start' | '/stop', body: object = {}): Promise<void> {
  await fetch(control + command, {
    method: 'POST',
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(waitLimitMs),
  });
}
