import { createLogger, RepeatedLine } from './logging';

describe('createLogger', () => {
  it('writes one JSON object a line and leaves out what proves who somebody is', () => {
    const lines: string[] = [];
    const logger = createLogger('chat', 'info', { write: (line) => lines.push(line) });
    logger.info(
      { token: 'secret-1', request: { headers: { authorization: 'secret-2', cookie: 'secret-3' }, sig: 'secret-4' } },
      'hello',
    );
    logger.debug('not at this level');
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'info', service: 'chat', msg: 'hello' });
    expect(lines[0]).not.toContain('secret-');
  });
});

describe('RepeatedLine', () => {
  it('says a thing once per period, with the count of those left out', () => {
    const said: [number, unknown][] = [];
    const line = new RepeatedLine((leftOut, error) => said.push([leftOut, error]), 1_000);
    line.say(new TypeError('of another kind'), 0);
    expect(said.splice(0)).toHaveLength(1);
    for (const [error, nowMs] of [
      ['a', 0],
      ['b', 1],
      ['c', 999],
      ['d', 1_000],
      ['e', 2_000],
    ] as const)
      line.say(error, nowMs);
    expect(said).toEqual([
      [0, 'a'],
      [2, 'd'],
      [0, 'e'],
    ]);
  });
});
