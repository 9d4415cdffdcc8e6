import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StallGuard } from './stall-guard';

describe('a guard against stalled readers', () => {
  const chunks = async function* () {
    for (let count = 0; count < 100; count += 1) yield Buffer.alloc(1_000);
    await Promise.resolve();
  };

  it('aborts if the reader reads nothing within the time limit', async () => {
    const onStall = jest.fn();
    const guard = new StallGuard(50, onStall);
    const unread = new PassThrough({ highWaterMark: 1 });
    await expect(pipeline(chunks, guard.stage, unread, { signal: guard.signal })).rejects.toThrow('aborted');
    guard.stop();
    expect(onStall).toHaveBeenCalledTimes(1);
  });

  it('passes all data to an active reader, and leaves no timer', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    const guard = new StallGuard(50, jest.fn());
    let bytes = 0;
    await pipeline(chunks, guard.stage, async (read: AsyncIterable<Buffer>) => {
      for await (const chunk of read) bytes += chunk.length;
    });
    expect(bytes).toBe(100_000);
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });
});
