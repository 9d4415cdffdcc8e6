import { TypingPace } from './typing-pace';

it('lets one through in three seconds of a conversation', () => {
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
