import { unavailable } from './errors';

describe('unavailable', () => {
  it('says what does not answer and when to try again, and keeps the cause out of the message', () => {
    const cause = new Error('password is hunter2');
    expect(unavailable('The database', cause)).toMatchObject({
      code: 'unavailable',
      message: 'The database does not answer at the moment',
      details: { retryAfterMs: 1_000 },
      cause,
    });
  });
});
