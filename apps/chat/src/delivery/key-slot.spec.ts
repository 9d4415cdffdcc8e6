import { slotOf } from './key-slot';

describe('slotOf', () => {
  // What `CLUSTER KEYSLOT` of Redis answers.
  it.each([
    ['', 0],
    ['a', 15_495],
    ['123456789', 12_739],
    ['žluťoučký', 10_907],
    ['waggle:chat:stream:01JZ8Q6W3N9V5B7T2K4M6P8R0S', 16_080],
  ])('of %j is that of the whole', (key, slot) => {
    expect(slotOf(key)).toBe(slot);
  });

  it.each([
    ['{user1000}.following', 'user1000'],
    ['foo{{bar}}zap', '{bar'],
    ['foo{bar}{zap}', 'bar'],
    ['before{bar', 'before{bar'],
    ['}before{bar}', 'bar'],
  ])('of %j is that of %j', (key, tag) => {
    expect(slotOf(key)).toBe(slotOf(tag));
  });

  it('of nothing in braces is that of the whole', () => {
    expect(slotOf('foo{}{bar}')).toBe(8_363);
  });
});
