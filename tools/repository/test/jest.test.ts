import { spawn } from 'node:child_process';
import path from 'node:path';
import { text as readAll } from 'node:stream/consumers';

it('loads our modules again for each test file, and packages once per worker', async () => {
  const jest = path.join(path.dirname(require.resolve('jest/package.json')), 'bin', 'jest.js');
  const config = path.join(__dirname, 'jest-project', 'jest.config.cjs');
  const child = spawn(process.execPath, [jest, '--config', config, '--runInBand', '--json'], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const { numPassedTests, numTotalTests } = JSON.parse(await readAll(child.stdout)) as Record<string, unknown>;
  expect({ numPassedTests, numTotalTests }).toEqual({ numPassedTests: 6, numTotalTests: 6 });
});
