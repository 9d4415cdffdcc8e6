import { SingleUseInMemory } from './single-use';

describe('SingleUseInMemory', () => {
  it('lets a key be claimed once until it expires, and forgets it then', async () => {
    let nowMs = 0;
    const used = new SingleUseInMemory(() => nowMs);
    expect(await used.claim('a', 100)).toBe(true);
    expect(await used.claim('a', 100)).toBe(false);
    expect(await used.claim('b', 100)).toBe(true);
    nowMs = 100;
    expect(await used.claim('a', 100)).toBe(true);
  });

  it('knows that a key has expired though a claim before it has not', async () => {
    let nowMs = 0;
    const used = new SingleUseInMemory(() => nowMs);
    await used.claim('long', 1_000);
    await used.claim('short', 100);
    nowMs = 100;
    expect(await used.claim('short', 100)).toBe(true);
    expect(await used.claim('short', 100)).toBe(false);
    expect(await used.claim('long', 1_000)).toBe(false);
  });

  it('lets a key that was given back be claimed again', async () => {
    const used = new SingleUseInMemory();
    await used.claim('a', 60_000);
    await used.release('a');
    expect(await used.claim('a', 60_000)).toBe(true);
  });
});
