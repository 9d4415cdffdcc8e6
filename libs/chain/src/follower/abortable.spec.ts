import { pause, untilAborted } from './abortable';

const never = new Promise<never>(() => undefined);

describe('a pause', () => {
  it('ends after its duration', async () => {
    const sinceMs = performance.now();
    await pause(30, new AbortController().signal);
    // A timer may fire a millisecond early.
    expect(performance.now() - sinceMs).toBeGreaterThanOrEqual(29);
  });

  it('ends when it is aborted, before or while it waits', async () => {
    const ending = new AbortController();
    const paused = pause(3_600_000, ending.signal);
    ending.abort();
    await paused;
    await pause(3_600_000, ending.signal);
  });
});

describe('a promise until aborted', () => {
  it('settles like the promise if it is not aborted', async () => {
    const { signal } = new AbortController();
    expect(await untilAborted(Promise.resolve(1), signal)).toBe(1);
    await expect(untilAborted(Promise.reject(new Error('no')), signal)).rejects.toThrow('no');
  });

  it('rejects when it is aborted, before or while it waits', async () => {
    const ending = new AbortController();
    const waiting = untilAborted(never, ending.signal);
    ending.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await expect(untilAborted(never, ending.signal)).rejects.toThrow('enough');
  });
});
