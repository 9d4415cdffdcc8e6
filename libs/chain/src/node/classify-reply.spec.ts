import { retryAfterMs } from './classify-reply';

test.each([
  ['30', 30_000],
  ['Fri, 01 Jan 2027 00:00:10 GMT', 10_000],
  ['Thu, 31 Dec 2026 23:59:50 GMT', 0],
  ['soon', undefined],
  ['', undefined],
  [undefined, undefined],
])('parses Retry-After: %j as %j ms', (header, expected) => {
  expect(retryAfterMs(header, Date.UTC(2027, 0, 1))).toBe(expected);
});
