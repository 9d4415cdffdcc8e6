import { createLogger } from './logging';
import { ThrottledLog } from './throttled-log';

describe('ThrottledLog', () => {
  it('logs once per period, with the number of suppressed events', () => {
    const said: [number, unknown][] = [];
    const line = new ThrottledLog((leftOut, error) => said.push([leftOut, error]), { periodMs: 1_000 });
    for (const [error, nowMs] of [
      ['a', 0],
      ['b', 1],
      ['c', 999],
      ['d', 1_000],
      ['e', 2_000],
    ] as const)
      line.log(error, nowMs);
    expect(said).toEqual([
      [0, 'a'],
      [2, 'd'],
      [0, 'e'],
    ]);
  });

  it('distinguishes errors by name, code and cause, not by message', () => {
    const said: unknown[] = [];
    const line = new ThrottledLog((_leftOut, error) => said.push(error));
    const withCode = (code: string) => Object.assign(new Error('x'), { code });
    const kinds = [
      new Error('x'),
      new TypeError('x'),
      withCode('ECONNREFUSED'),
      withCode('ECONNRESET'),
      new Error('x', { cause: new TypeError('x') }),
    ];
    for (const error of [...kinds, new Error('another message'), new TypeError('y'), withCode('ECONNRESET')])
      line.log(error, 0);
    expect(said).toEqual(kinds);
  });

  it('distinguishes events by `kindOf`', () => {
    const said: string[] = [];
    const line = new ThrottledLog<string>((_leftOut, text) => said.push(text), { kindOf: (text) => text.slice(0, 1) });
    for (const text of ['a1', 'b1', 'a2', 'b2', 'c1']) line.log(text, 0);
    expect(said).toEqual(['a1', 'b1', 'c1']);
  });

  it('bounds the number of remembered kinds', () => {
    const said: string[] = [];
    const line = new ThrottledLog<string>((_leftOut, text) => said.push(text), { kindOf: (text) => text });
    for (let n = 0; n < 101; n += 1) line.log(String(n), 0);
    line.log('0', 0);
    expect(said).toHaveLength(102);
  });

  it.each([
    ['error', 'errors'],
    ['warn', 'warnings'],
  ] as const)('logs errors with a text at level %s', (level, method) => {
    const lines: unknown[] = [];
    const logger = createLogger('chat', 'info', { write: (line) => lines.push(JSON.parse(line)) });
    ThrottledLog[method](logger, 'cannot read').log(new Error('x'));
    expect(lines).toEqual([
      expect.objectContaining({
        level,
        leftOut: 0,
        msg: 'cannot read',
        err: expect.objectContaining({ message: 'x' }),
      }),
    ]);
  });
});
