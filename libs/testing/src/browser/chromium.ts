import { execFileSync } from 'node:child_process';
import { fetchError } from '../packages/fetch-error';
import { fetchChromium } from './fetch-chromium';
import { waitLimitMs } from '../until';

/** Names a Chromium or Chrome that browser tests may use. */
const browserVariable = 'TEST_BROWSER';

/** Programs that may be on the machine, in order of preference. */
const installedPrograms = [
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
 * Finds Chromium: the program that `TEST_BROWSER` names; otherwise the program of an npm package, which it fetches if
 * necessary; otherwise a program on the machine. The committed screenshots are made with the npm package.
 *
 * @throws Error one line that says how to install Chromium
 */
export function getChromium(env: NodeJS.ProcessEnv = process.env): BrowserProgram {
  const named = env[browserVariable] ?? '';
  if (named !== '') return findProgram(named) ?? fail(`${browserVariable} names "${named}", which does not run`);
  try {
    const fetched = fetchChromium();
    return runs(fetched) ? fetched : fail(`the fetched ${fetched.executablePath} does not run here`);
  } catch (error) {
    for (const command of installedPrograms) {
      const program = findProgram(command);
      if (program !== undefined) return program;
    }
    throw fetchError(
      `no Chromium for the tests: install it (apt-get install chromium), or name the program by ${browserVariable}`,
      error,
    );
  }
}

/** Returns a program by its full path, which is needed to start it; undefined if it does not run. */
function findProgram(command: string): BrowserProgram | undefined {
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
