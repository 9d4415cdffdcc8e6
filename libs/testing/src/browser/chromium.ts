import { execFileSync } from 'node:child_process';
import { fetchError } from '../packages/fetch-error';
import { fetchChromium } from './fetch-chromium';
import { waitLimitMs } from '../until';

/** Names a Chromium or Chrome that browser tests may use. */
const browserVariable = 'TEST_BROWSER';

/** Programs of a machine; the first that runs is used. */
const installed = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

export interface BrowserProgram {
  executablePath: string;
  /** Additional environment variables. */
  env: Readonly<Record<string, string>>;
}

/**
 * Finds Chromium: the one that `TEST_BROWSER` names; otherwise the one of an npm package, with whose version and font
 * the committed screenshots are made; otherwise one on the machine.
 *
 * @throws Error one line that says how to get it
 */
export function getChromium(env: NodeJS.ProcessEnv = process.env): BrowserProgram {
  const named = env[browserVariable] ?? '';
  try {
    if (named !== '') return withPath(named) ?? fail(`${browserVariable} does not name one`);
    const fetched = fetchChromium();
    return runs(fetched) ? fetched : fail(`the fetched ${fetched.executablePath} does not run here`);
  } catch (error) {
    const ofMachine = named === '' ? installed.map(withPath).find((program) => program !== undefined) : undefined;
    if (ofMachine !== undefined) return ofMachine;
    throw fetchError(
      `no Chromium for the tests: install it (apt-get install chromium), or name the program by ${browserVariable}`,
      error,
    );
  }
}

/** The program with its full path, which starting it needs; undefined if it does not run. */
function withPath(command: string): BrowserProgram | undefined {
  try {
    const found = execFileSync('/bin/sh', ['-c', 'command -v "$0"', command], { encoding: 'utf8' }).trim();
    const program = { executablePath: found, env: {} };
    return runs(program) ? program : undefined;
  } catch {
    return undefined; // Not on the path.
  }
}

/** Whether the program prints its version. */
function runs({ executablePath, env }: BrowserProgram): boolean {
  try {
    const output = execFileSync(executablePath, ['--version', '--no-sandbox'], {
      encoding: 'utf8',
      env: { ...process.env, ...env },
      timeout: waitLimitMs,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return /\d+\.\d+\.\d+\.\d+/.test(output);
  } catch {
    return false; // Not there, or a library is missing.
  }
}

function fail(reason: string): never {
  throw new Error(reason);
}
