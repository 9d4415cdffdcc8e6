import { Authentications } from './authentications';

describe('Authentications', () => {
  it('run two at a time per token, the others in order; other tokens and requests without one do not wait', async () => {
    const authentications = new Authentications();
    let finish = () => {};
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const begun: string[] = [];
    const authenticate = (token: string | undefined, name: string) =>
      authentications.run(token, () => {
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
    expect(authentications.size).toBe(0);
  });

  it('run the next one after a failure', async () => {
    const authentications = new Authentications();
    const failing = Array.from({ length: 4 }, () =>
      authentications.run('token', () => Promise.reject(new Error('no session'))),
    );
    const ends = await Promise.allSettled(failing);
    expect(ends.map(({ status }) => status)).toEqual(Array<string>(4).fill('rejected'));
    expect(authentications.size).toBe(0);
  });

  it('rejects one if 1,000 are queued', async () => {
    const authentications = new Authentications();
    let finish = () => {};
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const authenticate = () => authentications.run('token', () => finished);
    const all = Array.from({ length: 1_002 }, authenticate);
    const rejection = { code: 'rate-limited', details: { retryAfterMs: 1_000 } };
    await expect(authenticate()).rejects.toMatchObject(rejection);
    finish();
    await Promise.all(all);
  });
});
