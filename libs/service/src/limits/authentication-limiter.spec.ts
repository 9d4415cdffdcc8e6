import { AuthenticationLimiter } from './authentication-limiter';

describe('AuthenticationLimiter', () => {
  it('runs two at a time per token, and does not delay other tokens or requests without one', async () => {
    const limiter = new AuthenticationLimiter();
    let finish = () => {};
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const begun: string[] = [];
    const authenticate = (token: string | undefined, name: string) =>
      limiter.run(token, () => {
        begun.push(name);
        return finished;
      });
    const all = Promise.all([
      authenticate('token', 'first'),
      authenticate('token', 'second'),
      authenticate('token', 'third'),
      authenticate('another token', 'other'),
      ...Array.from({ length: 3 }, () => authenticate(undefined, 'none')),
    ]);
    expect(begun).toEqual(['first', 'second', 'other', 'none', 'none', 'none']);
    finish();
    await all;
    expect(begun).toEqual(['first', 'second', 'other', 'none', 'none', 'none', 'third']);
    expect(limiter.size).toBe(0);
  });

  it('runs the next one after a failure', async () => {
    const limiter = new AuthenticationLimiter();
    const failing = Array.from({ length: 4 }, () =>
      limiter.run('token', () => Promise.reject(new Error('no session'))),
    );
    const ends = await Promise.allSettled(failing);
    expect(ends.map(({ status }) => status)).toEqual(Array<string>(4).fill('rejected'));
    expect(limiter.size).toBe(0);
  });

  it('rejects one if 1,000 are queued', async () => {
    const limiter = new AuthenticationLimiter();
    let finish = () => {};
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const authenticate = () => limiter.run('token', () => finished);
    const all = Array.from({ length: 1_002 }, authenticate);
    const rejection = { code: 'rate-limited', details: { retryAfterMs: 1_000 } };
    await expect(authenticate()).rejects.toMatchObject(rejection);
    finish();
    await Promise.all(all);
  });
});
