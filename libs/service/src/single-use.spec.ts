import { SingleUseInMemory } from './single-use';

describe('SingleUseInMemory', () => {
  it('allows one claim of a key until it expires, and then removes it', async () => {
    let nowMs = 0;
    const used = new SingleUseInMemory(() => nowMs);
    expect(await used.claim('a', 100)).toBe(true);
    expect(await used.claim('a', 100)).toBe(false);
    expect(await used.claim('b', 100)).toBe(true);
    nowMs = 100;
    expect(await used.claim('a', 100)).toBe(true);
  });

  it('expires a key even if an earlier claim has not expired', async () => {
    let nowMs = 0;
    const used = new SingleUseInMemory(() => nowMs);
    await used.claim('long', 1_000);
    await used.claim('short', 100);
    nowMs = 100;
    expect(await used.claim('short', 100)).toBe(true);
    expect(await used.claim('short', 100)).toBe(false);
    expect(await used.claim('long', 1_000)).toBe(false);
  });

  it('allows another claim of a released key', async () => {
    const used = new SingleUseInMemory();
    await used.claim('a', 60_000);
    await used.release('a');
    expect(await used.claim('a', 60_000)).toBe(true);
  });
});
