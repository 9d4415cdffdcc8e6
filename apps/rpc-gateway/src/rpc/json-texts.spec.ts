import { textsIn } from './json-texts';

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
  ])('of %s', (json, texts) => {
    expect(Object.fromEntries(textsIn(json))).toEqual(Object.fromEntries(Object.entries(texts)));
  });

  it('has a member that is called __proto__', () => {
    expect(textsIn('{"__proto__":{"a":1}}').get('__proto__')).toBe('{"a":1}');
  });

  it('agrees with JSON.parse, whatever the value', () => {
    const values = [0, -1.5e-7, '', '"', '\\', '{[', 'ünï\u2028', null, false, [], {}, [[]], { a: { b: [1, '}'] } }];
    for (const space of [undefined, 1, '\t']) {
      const inObject = Object.fromEntries(values.map((value, index) => [`k"${index}\\`, value]));
      for (const json of [JSON.stringify(values, null, space), JSON.stringify(inObject, null, space)]) {
        expect(Array.from(textsIn(json).values(), (text): unknown => JSON.parse(text))).toEqual(values);
      }
    }
  });

  it('takes long texts and deep values in linear time', () => {
    const long = JSON.stringify({ a: '\\"'.repeat(500_000), b: 1 });
    expect(textsIn(long).get('b')).toBe('1');
    const deep = `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)},"b":1}`;
    expect(textsIn(deep).get('b')).toBe('1');
  });
});
