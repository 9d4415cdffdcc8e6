import * as fc from 'fast-check';

/** Lists nested to this depth. */
function nested(depth: number): unknown {
  return JSON.parse(`${'[{"a":'.repeat(depth)}1${'}]'.repeat(depth)}`);
}

/** Texts that have broken programs. */
export const hostileTexts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'x\udc00y',
  '\u202e\u200b\ufeff',
  '👩‍👩‍👧‍👦'.repeat(40),
  "'; DROP TABLE message; --",
  "' OR '1'='1",
  '") OR 1=1; SELECT pg_sleep(5); --',
  '$1',
  '%s%n%x',
  '${7*7}{{7*7}}#{7*7}',
  '<script>alert(1)</script>',
  '../../../../etc/passwd',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'NaN',
  '-1',
  '9007199254740993',
  '1e999',
  '0x10',
  'true',
  '\r\nSet-Cookie: a=b',
  '{"$gt":""}',
  'x'.repeat(64),
  'x'.repeat(65),
  'x'.repeat(4_001),
  'é'.repeat(20_000),
];

const hostileThings: unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  -0,
  2 ** 53,
  [],
  {},
  [[]],
  [null],
  ['alice'],
  { length: 5 },
  { toString: 'x', valueOf: 1 },
  { $ne: null },
  JSON.parse('{"__proto__":{"admin":true,"conversation_id":"01J","username":"alice"}}'),
  JSON.parse('{"constructor":{"prototype":{"admin":true}}}'),
  nested(50),
  nested(2_000),
  Array.from({ length: 1_000 }, (_, i) => i),
  Array.from({ length: 1_000 }, () => 'alice'),
  Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`key${i}`, i])),
];

function fromCodePoints(points: number[]): string {
  return String.fromCodePoint(...points);
}

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...hostileTexts) },
  { weight: 1, arbitrary: fc.array(fc.nat({ max: 0x10ffff }), { maxLength: 80 }).map(fromCodePoints) },
);

/** Any JSON value, with a preference for hostile ones. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: hostileText },
  { weight: 3, arbitrary: fc.constantFrom(...hostileThings) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
);
