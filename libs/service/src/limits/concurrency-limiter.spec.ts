import { setTimeout } from 'node:timers/promises';
import { ConcurrencyLimiter } from './concurrency-limiter';
import { ServiceError } from '../errors/errors';

const rejection = () => new ServiceError('unavailable', 'too many tasks');

/** A task that ends when the test resolves it. */
function openTask() {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { task: () => ended, end };
}

describe('ConcurrencyLimiter', () => {
  it('runs `maxRunning` tasks at a time and the rest in order, even if one fails', async () => {
    const limiter = new ConcurrencyLimiter({ maxRunning: 2 }, rejection);
    let running = 0;
    let maxRunning = 0;
    const order: number[] = [];
    const run = (number: number) =>
      limiter.run(async () => {
        order.push(number);
        running += 1;
        maxRunning = Math.max(maxRunning, running);
        await setTimeout(5);
        running -= 1;
        if (number % 3 === 0) throw new Error(String(number));
      });
    const ends = await Promise.allSettled(Array.from({ length: 9 }, (_none, number) => run(number)));
    expect(ends.filter(({ status }) => status === 'rejected')).toHaveLength(3);
    expect([maxRunning, order]).toEqual([2, [0, 1, 2, 3, 4, 5, 6, 7, 8]]);
    expect(limiter.isIdle).toBe(true);
  });

  it('begins each queued task in a separate turn of the event loop', async () => {
    const limiter = new ConcurrencyLimiter({ maxRunning: 1 }, rejection);
    let turn = 0;
    let counter = setImmediate(function count() {
      turn += 1;
      counter = setImmediate(count);
    });
    const turns = await Promise.all(Array.from({ length: 4 }, () => limiter.run(() => Promise.resolve(turn))));
    clearImmediate(counter);
    expect(new Set(turns).size).toBe(4);
  });

  it('rejects only the task that finds the queue full', async () => {
    const limiter = new ConcurrencyLimiter({ maxRunning: 1, maxQueued: 1 }, rejection);
    const { task, end } = openTask();
    const first = limiter.run(task);
    const second = limiter.run(() => Promise.resolve('second'));
    await expect(limiter.run(() => Promise.resolve())).rejects.toMatchObject({ code: 'unavailable' });
    expect(limiter.isIdle).toBe(false);
    end();
    await first;
    await expect(second).resolves.toBe('second');
    await expect(limiter.run(() => Promise.resolve('third'))).resolves.toBe('third');
  });

  it('rejects only a task that has waited too long', async () => {
    const limiter = new ConcurrencyLimiter({ maxRunning: 1, maxWaitMs: 20 }, rejection);
    const { task, end } = openTask();
    const first = limiter.run(task);
    await expect(limiter.run(() => Promise.resolve())).rejects.toMatchObject({ code: 'unavailable' });
    end();
    await first;
    await expect(limiter.run(() => Promise.resolve('done'))).resolves.toBe('done');
  });
});
