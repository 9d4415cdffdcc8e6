import { Command } from './command';

// Ten processes start: 10 s alone, more where two cores have other things to do.
jest.setTimeout(180_000);

it('a restart of an instance of each service fails no request and loses no message', async () => {
  const run = new Command('dist/rolling-restart/main.js', ['--quick'], {});
  expect({ code: await run.end(), output: run.output }).toEqual({ code: 0, output: expect.any(String) as string });
  expect(run.output).toContain('Nothing failed, nothing was lost.');
  const [, sent, acknowledged, returned] =
    /chat: (\d+) messages sent, (\d+) acknowledged; clients came back (\d+) times/.exec(run.output) ?? [];
  expect(Number(sent)).toBeGreaterThan(30);
  expect(acknowledged).toBe(sent);
  // Every other client had its connection to the one that went.
  expect(Number(returned)).toBeGreaterThan(2);
  for (const name of ['delegation', 'rpc-gateway'])
    expect(run.output).toMatch(new RegExp(`${name}: \\d{2,} requests answered`));
});
