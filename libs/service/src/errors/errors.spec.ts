import { unavailable } from './errors';

describe('unavailable', () => {
  it('names the dependency and when to retry, without the cause in the message', () => {
    const cause = new Error('password is hunter2');
    expect(unavailable('The database', cause)).toMatchObject({
      code: 'unavailable',
      message: 'The database does not respond at the moment',
      details: { retryAfterMs: 1_000 },
      cause,
    });
  });
});
