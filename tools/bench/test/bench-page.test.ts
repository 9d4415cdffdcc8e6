import { Command } from '@waggle/running/command';

it.each([
  [['web'], 'npm run bench:page -- chat|delegation|gateway [file.json …]'],
  [['chat', '/nosuch.json'], 'There is no /nosuch.json: npm run bench:chat writes it.'],
])('reports what is wrong with %j', async (args, message) => {
  const run = new Command('tools/bench/dist/page/main.js', args, {});
  expect(await run.end()).toBe(1);
  expect(run.output).toBe(message);
});
