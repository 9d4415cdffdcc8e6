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
});
