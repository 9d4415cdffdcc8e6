import { TypingPace } from './typing-pace';

it('allows one frame in three seconds for each conversation', () => {
  const pace = new TypingPace();
  expect([0, 1, 2_999, 3_000, 3_001].map((nowMs) => pace.allows('c', nowMs))).toEqual([
    true,
    false,
    false,
    true,
    false,
  ]);
  expect(pace.allows('d', 3_001)).toBe(true);
});
