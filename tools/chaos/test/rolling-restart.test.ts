import { Command } from '@waggle/running';

// PostgreSQL, Redis, a devnet and two instances of the chat start, and one of these again: 10 s were seen on two cores.
jest.setTimeout(180_000);

let run: Command | undefined;
afterEach(async () => {
  await run?.end('SIGTERM');
});

// One service stands for all, and the one that has connections which stay. `npm run rolling-restart` does it with each, and with
// every instance of it.
it('replaces an instance of the chat under load: no request fails, no message is lost', async () => {
  run = new Command('tools/chaos/dist/rolling-restart/main.js', ['--quick', 'chat'], {});
  expect({ code: await run.end(), output: run.output }).toMatchObject({ code: 0 });
  expect(run.output).toMatch(/^ {2}chat 1 is another process/m);
  expect(run.output).toMatch(/^chat: ([1-9]\d+) messages sent, \1 acknowledged; clients came back [1-9]\d* times\.$/m);
  expect(run.output).toMatch(/^chat: [1-9]\d+ requests answered, none at a second try; 0 failed\.$/m);
});
