import { setImmediate as turn } from 'node:timers/promises';
import { RateLimitExceeded } from '../errors';
import { AccountQueue } from './account-queue';

/** Resumes that run until `end` is called. */
class Resumes {
  readonly started: string[] = [];
  private readonly ends = new Map<string, () => void>();

  constructor(private readonly queue: AccountQueue) {}

  begin(account: string, name: string): Promise<void> {
    return this.queue.run(account, () => {
      this.started.push(name);
      return new Promise<void>((resolve) => {
        this.ends.set(name, resolve);
      });
    });
  }

  async end(name: string) {
    this.ends.get(name)?.();
    await turn();
  }
}

describe('AccountQueue', () => {
  it('runs the resumes of an account one after another, in the order of arrival', async () => {
    const resumes = new Resumes(new AccountQueue());
    const all = ['first', 'second', 'third'].map((name) => resumes.begin('alice', name));
    await turn();
    expect(resumes.started).toEqual(['first']);
    await resumes.end('first');
    expect(resumes.started).toEqual(['first', 'second']);
    await resumes.end('second');
    await resumes.end('third');
    await Promise.all(all);
    expect(resumes.started).toEqual(['first', 'second', 'third']);
  });

  it('runs the resumes of different accounts concurrently', async () => {
    const resumes = new Resumes(new AccountQueue());
    const all = ['alice', 'bob'].map((account) => resumes.begin(account, account));
    await turn();
    expect(resumes.started).toEqual(['alice', 'bob']);
    await resumes.end('alice');
    await resumes.end('bob');
    await Promise.all(all);
  });

  it('rejects a resume that waits too long with a retry delay, and runs the next one', async () => {
    const resumes = new Resumes(new AccountQueue(20));
    const first = resumes.begin('alice', 'first');
    const rejection: unknown = await resumes.begin('alice', 'second').catch((error: unknown) => error);
    expect(rejection).toBeInstanceOf(RateLimitExceeded);
    expect(rejection).toMatchObject({ code: 'rate-limited', details: { retryAfterMs: 20 } });
    const third = resumes.begin('alice', 'third');
    await resumes.end('first');
    await resumes.end('third');
    await Promise.all([first, third]);
    expect(resumes.started).toEqual(['first', 'third']);
  });

  it('runs the next one after one has failed', async () => {
    const queue = new AccountQueue();
    const failed = queue.run('alice', () => Promise.reject(new Error('no database')));
    const next = queue.run('alice', () => Promise.resolve());
    await expect(failed).rejects.toThrow('no database');
    await next;
  });
});
