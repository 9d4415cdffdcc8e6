import { Command } from '@waggle/running';

// PostgreSQL, Redis, a devnet and three services start.
jest.setTimeout(180_000);

let run: Command | undefined;
afterEach(async () => {
  await run?.end('SIGTERM');
});

// One of each kind of load: unread responses of two services, a flooded user, large events. `npm run attack` runs all of them.
const names = ['high-1', 'high-2', 'medium-3', 'medium-5'];

it('holds off attacks by load: no service dies or takes too much memory, no honest request fails', async () => {
  run = new Command('tools/attack/dist/main.js', ['--quick', ...names], {});
  const code = await run.end();
  expect(run.output.split('\n').filter((line) => line.includes('FAIL'))).toEqual([]);
  expect({ code, output: run.output }).toMatchObject({ code: 0 });
  for (const name of names) expect(run.output).toMatch(new RegExp(`^${name}: pass, `, 'm'));
});
