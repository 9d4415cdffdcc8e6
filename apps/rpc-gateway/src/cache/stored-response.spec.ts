import { type CachedResponse } from './cached-response';
import { deserialize, serialize } from './stored-response';

const response: CachedResponse = {
  member: '"result":{"text":"two\\nlines"}',
  storedAtMs: 1_000,
  headBlock: undefined,
  freshUntilMs: 2_000,
  staleUntilMs: 3_000,
};

it.each([undefined, 90_000_000])('restores a response of head block %s', (headBlock) => {
  expect(deserialize(serialize({ ...response, headBlock }))).toEqual({ ...response, headBlock });
});

it.each([
  ['', 'nothing'],
  ['"result":1', 'a result without fields'],
  ['[1,null,2]\n"result":1', 'too few fields'],
  ['[1,"2",3,4]\n"result":1', 'a field of another type'],
  ['[1,null,2,3\n"result":1', 'broken JSON'],
  ['[1,null,2,3]\n"error":1', 'another member'],
])('rejects %j: %s', (text) => {
  expect(deserialize(text)).toBeUndefined();
});
