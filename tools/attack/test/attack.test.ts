import { Command } from '@waggle/running/command';
import { allAttacks } from '../src/attacks/all-attacks';

// PostgreSQL, Redis, a devnet and all services start.
let run: Command | undefined;
afterEach(async () => {
  await run?.end('SIGTERM');
});

it('withstands every attack in its short form', async () => {
  run = new Command('tools/attack/dist/main.js', ['--quick'], {});
  const code = await run.end();
  // The report of an attack begins with its name; the other lines are indented.
  const failures = run.output.split(/\n(?=\S)/).filter((report) => report.includes('FAIL'));
  expect({ code, failures, output: run.output }).toMatchObject({ code: 0, failures: [] });
  const reported = Array.from(run.output.matchAll(/^(\S+): /gm), ([, name]) => name);
  expect(reported).toEqual(expect.arrayContaining(allAttacks.map(({ name }) => name)));
});
