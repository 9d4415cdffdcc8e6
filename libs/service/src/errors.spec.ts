import { isDatabaseUnreachable } from './errors';

const withCode = (code: string) => Object.assign(new Error('x'), { code });

describe('isDatabaseUnreachable', () => {
  it.each(['ECONNREFUSED', 'ECONNRESET', '57P01', '57P03', '08006', '53300'])(
    '%s says that the database is away',
    (code) => {
      expect(isDatabaseUnreachable(withCode(code))).toBe(true);
    },
  );

  it.each(['23505', '42601', '22021'])('%s says that the statement is at fault', (code) => {
    expect(isDatabaseUnreachable(withCode(code))).toBe(false);
  });

  it('knows what the driver says without a code', () => {
    expect(isDatabaseUnreachable(new Error('Connection terminated unexpectedly'))).toBe(true);
    expect(isDatabaseUnreachable(new Error('timeout exceeded when trying to connect'))).toBe(true);
    expect(isDatabaseUnreachable(new AggregateError([withCode('ECONNREFUSED')]))).toBe(true);
    expect(isDatabaseUnreachable(new Error('anything else'))).toBe(false);
    expect(isDatabaseUnreachable('a text')).toBe(false);
  });
});
