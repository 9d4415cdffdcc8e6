import { Authentications } from './authentications';

describe('Authentications', () => {
  it('run two at once with the same token, the others in order, and beside those with another or none', async () => {
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

  it('make room where one fails', async () => {
    const authentications = new Authentications();
    const failing = Array.from({ length: 4 }, () =>
      authentications.run('token', () => Promise.reject(new Error('no session'))),
    );
    const ends = await Promise.allSettled(failing);
    expect(ends.map(({ status }) => status)).toEqual(Array<string>(4).fill('rejected'));
    expect(authentications.size).toBe(0);
  });

  it('refuses one if 1,000 wait already', async () => {
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
