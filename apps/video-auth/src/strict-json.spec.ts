import { parseStrictJson, RepeatedKeyError } from './strict-json';

it.each([
  '{"a":1,"b":{"a":1},"c":[{"a":1},{"a":2}]}',
  '{"a":"a","b":"a:a","c":"\\"a\\":\\"a\\""}',
  '{"a":"{\\"a\\":1,\\"a\\":2}"}',
  '{"a\\\\":1,"a":2}',
  '{"a\\\\\\":":1,"a":":\\\\"}',
  '{"__proto__":1,"a":{"__proto__":{"b":2}}}',
  ' [ "a" , "a" , null , true , -1.5e3 ] ',
  '"a"',
  '{}',
])('reads %s as JSON.parse does', (text) => {
  expect(parseStrictJson(text)).toEqual(JSON.parse(text));
});

it.each([
  '{"a":1,"a":1}',
  '{"a":1, "b":2,\n"a" : 3}',
  '{"a":1,"\\u0061":2}',
  '[{"b":{"a":[],"a":{}}}]',
  '{"a":{"a":1},"a":2}',
  '{"":1,"":2}',
  '{"__proto__":1,"__proto__":2}',
  '{"a":{"b":1,"c":2},"a":1}',
  '{"a\\\\":1,"a\\\\":2}',
  '{"\\"":1,"\\u0022":2}',
])('rejects %s because of a duplicate key', (text) => {
  expect(() => parseStrictJson(text)).toThrow(RepeatedKeyError);
});

it.each(['', '{', '{a:1}', '{"a":1}x', 'undefined'])('rejects %j as JSON.parse does', (text) => {
  expect(() => parseStrictJson(text)).toThrow(SyntaxError);
});

it('accepts deep, long texts with many backslashes', () => {
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
  expect(() => parseStrictJson(deep)).not.toThrow();
  expect(() => parseStrictJson(JSON.stringify('\\'.repeat(50_000)))).not.toThrow();
});
