import { isDatabaseUnavailable, isDataError, isUniqueViolation } from './database-errors';

const withCode = (code: string) => Object.assign(new Error('x'), { code });

describe('isDatabaseUnavailable', () => {
  it.each([
    ['no connection', 'ECONNREFUSED'],
    ['a connection broken off', 'ECONNRESET'],
    ['a name that is not found', 'ENOTFOUND'],
    ['a connection exception', '08006'],
    ['a shutdown', '57P01'],
    ['a start that is not done', '57P03'],
    ['too many connections', '53300'],
    ['read-only', '25006'],
    ['a transaction that rested too long', '25P03'],
    ['a statement over its time limit', '57014'],
    ['a lock over its time limit', '55P03'],
  ])('recognizes %s (%s)', (_what, code) => {
    expect(isDatabaseUnavailable(withCode(code))).toBe(true);
  });

  it.each([
    'Connection terminated unexpectedly',
    'Client has encountered a connection error and is not queryable',
    'Client was closed and is not queryable',
    'timeout expired',
    'timeout exceeded when trying to connect',
    'Query read timeout',
    'Driver not Connected',
    'Cannot use a pool after calling end on the pool',
  ])('recognizes driver errors without a code: %s', (message) => {
    expect(isDatabaseUnavailable(new Error(message))).toBe(true);
  });

  it('recognizes an AggregateError of connection attempts', () => {
    expect(isDatabaseUnavailable(new AggregateError([withCode('X'), withCode('ECONNREFUSED')]))).toBe(true);
    expect(isDatabaseUnavailable(new AggregateError([withCode('23505')]))).toBe(false);
    expect(isDatabaseUnavailable(new AggregateError([]))).toBe(false);
  });

  it.each(['23505', '42601', '22021', 'XX000'])('attributes %s to the statement', (code) => {
    expect(isDatabaseUnavailable(withCode(code))).toBe(false);
  });

  it.each([[new Error('anything else')], ['Query read timeout'], [{ code: 'ECONNREFUSED' }], [undefined]])(
    'does not recognize %p',
    (error) => {
      expect(isDatabaseUnavailable(error)).toBe(false);
    },
  );
});

describe('isDataError', () => {
  it.each(['22001', '22021', '22P02', '23502', '23503', '23505', '23514'])('is true for %s', (code) => {
    expect(isDataError(withCode(code))).toBe(true);
  });

  it.each(['21000', '24000', '42601', '57014', '55P03', '08006', 'ECONNREFUSED', '2350', '235055'])(
    'is false for %s',
    (code) => {
      expect(isDataError(withCode(code))).toBe(false);
    },
  );

  it.each([[new Error('23505')], [{ code: '23505' }], ['23505'], [undefined]])('is false for %p', (error) => {
    expect(isDataError(error)).toBe(false);
  });
});

it('isUniqueViolation is true for one code only', () => {
  expect(isUniqueViolation(withCode('23505'))).toBe(true);
  for (const error of [withCode('23503'), new Error('23505'), { code: '23505' }])
    expect(isUniqueViolation(error)).toBe(false);
});
