import { textParts } from './text-parts';

it.each([
  ['see https://hive.io/a_(b).', 'https://hive.io/a_(b)'],
  ['(http://hive.io/?q=1&r=2)', 'http://hive.io/?q=1&r=2'],
  ['HTTPS://Hive.io!', 'https://hive.io/'],
  ['(see http://hive.io/a.).', 'http://hive.io/a'],
  ['http://hive.io/(a).)!', 'http://hive.io/(a).)'],
  ['two lines\nhttps://hive.io\nend', 'https://hive.io/'],
])('makes a link of the URL in %j', (text, href) => {
  const parts = textParts(text);
  expect(parts.map((part) => part.text).join('')).toBe(text);
  expect(parts.flatMap((part) => part.href ?? [])).toEqual([href]);
});

it.each([
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  'https://',
  'ftp://hive.io',
  'no address',
  '',
])('makes no link of %j', (text) => {
  expect(textParts(text).every(({ href }) => href === undefined)).toBe(true);
});

it('ends a URL at a character that changes the text direction', () => {
  expect(textParts('https://hive.io/\u202Egpj.exe')[0]).toEqual({ text: 'https://hive.io/', href: 'https://hive.io/' });
});

it('splits the most expensive message in linear time', () => {
  const link = `http://a${'.'.repeat(2_660)}x`;
  const startMs = performance.now();
  const parts = textParts(`${link}${')'.repeat(1_320)}`);
  expect(performance.now() - startMs).toBeLessThan(1_000);
  expect(parts.map(({ text }) => text).join('')).toHaveLength(3_989);
});

it('makes no more than 50 links, because hundreds in each message would freeze the page', () => {
  const text = 'http://a '.repeat(444);
  const parts = textParts(text);
  expect(parts.filter(({ href }) => href !== undefined)).toHaveLength(50);
  expect(parts.map((part) => part.text).join('')).toBe(text);
});
