import { setTimeout } from 'node:timers/promises';
import { until } from '@waggle/testing';
import { Registry } from 'prom-client';
import { ListReads } from './list-reads';
import { Client } from '../limits/client';
import { ResponseLimits } from './response-limits';

const mebibyte = 1024 * 1024;

describe('ListReads', () => {
  const alice = { account: 'alice', connection: { destroyed: false } };
  const bob = { ...alice, account: 'bob' };
  let responses: ResponseLimits;
  let reads: ListReads;
  beforeEach(() => {
    responses = new ResponseLimits({ totalBytes: 64 * mebibyte, bytesPerSecond: mebibyte }, new Registry());
    reads = new ListReads(responses);
  });

  /** A read that runs until it is finished. */
  function openRead() {
    let finish = () => {};
    const finished = new Promise<void>((resolve) => (finish = resolve));
    return { run: jest.fn(() => finished), finish };
  }

  it('runs the reads of one account in sequence, and other accounts in parallel', async () => {
    const [first, second, other] = [openRead(), openRead(), openRead()];
    const runs = [reads.run(alice, first.run), reads.run(alice, second.run), reads.run(bob, other.run)];
    expect([first, second, other].map(({ run }) => run.mock.calls.length)).toEqual([1, 0, 1]);
    first.finish();
    await runs[0];
    await until(() => second.run.mock.calls.length === 1);
    second.finish();
    other.finish();
    await Promise.all(runs);
    await until(() => reads.size === 0);
  });

  it('pauses after a read for as long as the read took, but not before its result', async () => {
    const tookMs = 40;
    const first = reads.run(alice, async () => {
      await setTimeout(tookMs);
      return 'read';
    });
    let secondAtMs = Infinity;
    const second = reads.run(alice, () => {
      secondAtMs = performance.now();
      return Promise.resolve();
    });
    expect(await first).toBe('read');
    const firstEndMs = performance.now();
    expect(secondAtMs).toBe(Infinity);
    await second;
    // Timers may fire a millisecond early.
    expect(secondAtMs - firstEndMs).toBeGreaterThan(tookMs - 5);
  });

  it('rejects a read if 1,000 are queued', async () => {
    const { run, finish } = openRead();
    const runs = Array.from({ length: 1_001 }, () => reads.run(alice, run));
    const rejection = { code: 'rate-limited', details: { retryAfterMs: 1_000 } };
    await expect(reads.run(alice, run)).rejects.toMatchObject(rejection);
    finish();
    await Promise.all(runs);
    await until(() => reads.size === 0);
  });

  it('rejects a queued read if the account meanwhile received more bytes than its rate limit allows', async () => {
    const [first, second] = [openRead(), openRead()];
    const runs = [reads.run(alice, first.run), reads.run(alice, second.run)];
    responses.charge({ client: new Client('192.0.2.1'), account: 'alice' }, 9 * mebibyte);
    first.finish();
    const [, rejected] = await Promise.allSettled(runs);
    expect(rejected).toMatchObject({ status: 'rejected', reason: { code: 'rate-limited' } });
    expect(second.run).not.toHaveBeenCalled();
  });

  it('skips a read whose connection closed while it was queued', async () => {
    const [first, second] = [openRead(), openRead()];
    const connection = { destroyed: false };
    const runs = [reads.run(alice, first.run), reads.run({ ...alice, connection }, second.run)];
    connection.destroyed = true;
    first.finish();
    const [, left] = await Promise.allSettled(runs);
    expect(left).toMatchObject({ status: 'rejected', reason: { code: 'rate-limited' } });
    expect(second.run).not.toHaveBeenCalled();
    await until(() => reads.size === 0);
  });

  it('continues with the next read after a failure', async () => {
    const failed = reads.run(alice, () => Promise.reject(new Error('no such conversation')));
    const next = reads.run(alice, () => Promise.resolve('read'));
    await expect(failed).rejects.toThrow('no such conversation');
    expect(await next).toBe('read');
    await until(() => reads.size === 0);
  });
});
