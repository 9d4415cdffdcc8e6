import { Command } from '@waggle/running/command';
import { isLong } from '@waggle/testing/long-form';
import { allAttacks } from '../src/attacks/all-attacks';

// PostgreSQL, Redis, a devnet and all services start.
let run: Command | undefined;
afterEach(async () => {
  await run?.end('SIGTERM');
});

/** The attack by load that concerns all services. */
const loadOnAll = 'extra-2';

/** `LONG=true npx jest attack` carries out every attack, which takes a minute or more of both cores. */
const attacks = isLong ? allAttacks : allAttacks.filter(({ kind, name }) => kind === 'rule' || name === loadOnAll);

it('withstands attacks in their short form', async () => {
  const names = attacks.map(({ name }) => name);
  run = new Command('tools/attack/dist/main.js', ['--quick', ...names], {});
  const code = await run.end();
  // The report of an attack begins with its name; the other lines are indented.
  const failures = run.output.split(/\n(?=\S)/).filter((report) => report.includes('FAIL'));
  expect({ code, failures, output: run.output }).toMatchObject({ code: 0, failures: [] });
  const reported = Array.from(run.output.matchAll(/^(\S+): /gm), ([, name]) => name);
  expect(reported).toEqual(expect.arrayContaining(names));
});
