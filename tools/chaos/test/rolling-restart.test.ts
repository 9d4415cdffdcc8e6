import { Command } from '@waggle/running/command';

// It starts PostgreSQL, Redis, a devnet and two instances of the chat.
let run: Command | undefined;
afterEach(async () => {
  await run?.end('SIGTERM');
});

// `npm run rolling-restart` tests all services and instances.
it('replaces an instance of the chat under load: no request fails, no message is lost', async () => {
  run = new Command('tools/chaos/dist/rolling-restart/main.js', ['--quick', 'chat'], {});
  const code = await run.end();
  expect([code, code === 0 ? '' : run.output]).toEqual([0, '']);
  expect(run.output).toMatch(/^ {2}chat 1 was replaced/m);
  expect(run.output).toMatch(
    /^chat: ([1-9]\d+) messages sent, \1 acknowledged; clients reconnected [1-9]\d* times\.$/m,
  );
  expect(run.output).toMatch(/^chat: [1-9]\d+ requests succeeded, 0 failed\.$/m);
});
