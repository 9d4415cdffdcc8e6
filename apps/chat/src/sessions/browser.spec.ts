import { browserIn } from './browser';

it.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox 140.0'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
    'Chrome 126.0.0.0',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
    'Safari 17.5',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Edg/126.0.2592.68',
    'Microsoft Edge 126.0.2592.68',
  ],
  ['node', null],
  ['', null],
])('reads %s as %s', (userAgent, browser) => {
  expect(browserIn(userAgent)).toBe(browser);
});

it.each([
  'a'.repeat(512),
  ' '.repeat(512),
  '/'.repeat(512),
  'Version/'.repeat(64),
  `${'a'.repeat(256)}/${'1'.repeat(255)}`,
])('returns a short text quickly for a long user agent', (userAgent) => {
  const startedMs = performance.now();
  for (let n = 0; n < 50; n += 1) expect(browserIn(userAgent)?.length ?? 0).toBeLessThanOrEqual(64);
  expect(performance.now() - startedMs).toBeLessThan(2_000);
});
