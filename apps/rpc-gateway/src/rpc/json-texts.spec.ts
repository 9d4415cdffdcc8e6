import { Random } from '@waggle/testing';
import { textsIn } from './json-texts';

const texts = (json: string) => textsIn(Buffer.from(json));

describe('textsIn', () => {
  it.each([
    ['{}', {}],
    [' [ ] ', {}],
    ['{"a":1,"b":[1,{"c":"]"}]}', { a: '1', b: '[1,{"c":"]"}]' }],
    ['{ "a" : 1.10 ,\n "b" : null }', { a: '1.10', b: 'null' }],
    ['[1, "x" , {"a": 2}]', { 0: '1', 1: '"x"', 2: '{"a": 2}' }],
    ['{"a":12345678901234567890}', { a: '12345678901234567890' }],
    [String.raw`{"\u0061":"\"}","b\\":"\\","c":"\\\""}`, { a: String.raw`"\"}"`, 'b\\': '"\\\\"', c: '"\\\\\\""' }],
    // As JSON.parse: the last one counts.
    ['{"a":1,"a":2}', { a: '2' }],
    ['{"a":true}  ', { a: 'true' }],
  ])('returns the texts of the members of %s', (json, expected) => {
    expect(Object.fromEntries(texts(json))).toEqual(expected);
  });

  it('returns only the texts of given keys, and validates the others', () => {
    const only = (json: string) => Object.fromEntries(textsIn(Buffer.from(json), new Set(['a', '2'])));
    expect(only(String.raw`{"b":1,"\u0061":[2],"c":{"a":3}}`)).toEqual({ a: '[2]' });
    expect(only('["a","b","c","d"]')).toEqual({ 2: '"c"' });
    expect(() => only('{"a":1,"b":x}')).toThrow(SyntaxError);
  });

  it('returns a member named __proto__', () => {
    expect(texts('{"__proto__":{"a":1}}').get('__proto__')).toBe('{"a":1}');
  });

  it('agrees with JSON.parse for every kind of value', () => {
    const values = [0, -1.5e-7, '', '"', '\\', '{[', 'ünï\u2028', null, false, [], {}, [[]], { a: { b: [1, '}'] } }];
    for (const space of [undefined, 1, '\t']) {
      const inObject = Object.fromEntries(values.map((value, index) => [`k"${index}\\`, value]));
      for (const json of [JSON.stringify(values, null, space), JSON.stringify(inObject, null, space)]) {
        expect(Array.from(texts(json).values(), (text): unknown => JSON.parse(text))).toEqual(values);
      }
    }
  });

  it('reads long strings and deep values in linear time', () => {
    const long = JSON.stringify({ a: '\\"'.repeat(500_000), b: 1 });
    expect(texts(long).get('b')).toBe('1');
    const deep = `{"a":${'['.repeat(500_000)}${']'.repeat(500_000)},"b":1}`;
    expect(texts(deep).get('b')).toBe('1');
  });

  it('accepts the same texts as JSON.parse', () => {
    const good = String.raw`{"a":[1,-0.5e+10,0,{"b c":null},[],{}],"\u00e9\"\\":" ü","c":{"d":[true,false]}, "e" : -12.0E-3}`;
    const characters = '{}[]",:\\/ntu0123456789.eE+-aflsr \n\t\u0001é';
    const random = new Random(20_260_101);
    const outcomes = { json: 0, none: 0 };
    for (let round = 0; round < 4_000; round += 1) {
      const at = random.below(good.length);
      const end = at + random.below(3);
      const put = random.below(4) === 0 ? '' : characters.charAt(random.below(characters.length));
      const changed = good.slice(0, at) + put + good.slice(end);
      const isJson = parses(changed);
      outcomes[isJson ? 'json' : 'none'] += 1;
      const read = { changed, isJson: true };
      try {
        texts(changed);
      } catch {
        read.isJson = false;
      }
      expect(read).toEqual({ changed, isJson });
    }
    expect(Math.min(outcomes.json, outcomes.none)).toBeGreaterThan(400);
  });

  it.each([
    '',
    ' ',
    '1',
    '"a"',
    'null',
    '{} {}',
    '[1,]',
    '{"a":1,}',
    '[1 2]',
    '{"a" 1}',
    '[01]',
    '[+1]',
    '[.5]',
    '[1.]',
    '["\t"]',
    '["\\x"]',
    '["\\u00g0"]',
    '[tru]',
    '[nul',
    '["a',
  ])('rejects %j', (json) => {
    expect(() => texts(json)).toThrow(SyntaxError);
  });
});

function parses(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object';
  } catch {
    return false;
  }
}
