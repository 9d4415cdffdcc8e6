import { signableForms, textOfMember } from './object-payload';

describe('the text of a member', () => {
  it.each([
    ['{"a":1,"p":{"x":[1,{"p":2}], "y" : "}"} ,"z":3}', '{"x":[1,{"p":2}], "y" : "}"}'],
    ['{"p":{}}', '{}'],
    ['{"a":"p","b":{"p":{"x":1}},"p":"text"}', '"text"'],
    ['{"a":["p",{"p":1}],\n "\\u0070" :\t-1.50e3 }', '-1.50e3'],
    ['{"a\\"":"\\\\","p":[ ]}', '[ ]'],
  ])('of %s is %s, unchanged', (json, expected) => {
    expect(textOfMember(json, 'p')).toBe(expected);
  });

  it.each(['{}', '{"a":{}}', '{"a":"p"}', '{"a":{"p":1}}', '{"a":["p",1]}'])('of %s is undefined', (json) => {
    expect(textOfMember(json, 'p')).toBeUndefined();
  });
});

describe('the signable forms of an object', () => {
  it('are the received text, and what JavaScript and Python would write', () => {
    expect(signableForms('{ "a":"é\\/","b" : 1.0}')).toEqual([
      '{ "a":"é\\/","b" : 1.0}',
      '{"a":"é\\/","b":1.0}',
      '{"a":"é/","b":1.0}',
      '{"a":"\\u00e9/","b":1.0}',
      '{"a": "é\\/", "b": 1.0}',
      '{"a": "é/", "b": 1.0}',
      '{"a": "\\u00e9/", "b": 1.0}',
    ]);
  });

  it('have no duplicates', () => {
    expect(signableForms('{"a":1,"b":"x, y"}')).toEqual(['{"a":1,"b":"x, y"}', '{"a": 1, "b": "x, y"}']);
  });
});
