import { encodeJson } from './encode-json';
import { exactJson, JsonText } from './json-text';

const mebibyte = 1024 * 1024;
/** Elements of 64 KiB. */
const values = (mebibytes: number) => Array.from({ length: 16 * mebibytes }, () => 'x'.repeat(64 * 1024));

it.each([
  ['scalars', ['text', 1, null, true]],
  ['empty containers', [[], {}, [[]], [{}], { a: [] }, { a: {} }]],
  ['members without a value', [{ a: undefined }, { a: undefined, b: 1 }, { b: 1, c: undefined }]],
  ['digits that JavaScript would round', [9_007_199_254_740_993n, [9_007_199_254_740_993n], new JsonText('1e400')]],
  ['nested texts', [{ a: new JsonText('[1e400]'), b: [new JsonText('{}')] }]],
  ['long values', [values(3), { a: values(3), 'b"': [1] }]],
])('writes the JSON of %s', async (_name, several) => {
  for (const value of several) expect((await encodeJson(value)).text).toBe(exactJson(value));
});

it('divides a long text into parts, and lets other work run after each', async () => {
  let turns = 0;
  const count = () => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  const { parts, bytes, length } = await encodeJson(['é'.repeat(mebibyte), ...values(8)]);
  clearImmediate(next);
  expect(Math.max(...parts.slice(1).map((part) => part.length))).toBeLessThan(mebibyte / 2);
  expect(turns).toBeGreaterThan(20);
  expect(bytes).toBe(length + mebibyte);
});

it('encodes one long value at a time, while short ones do not wait', async () => {
  const ended: string[] = [];
  const encode = (name: string, value: unknown) => encodeJson(value).then(() => ended.push(name));
  const long = [encode('long', values(8)), encode('next', values(2))];
  // One part is encoded in each turn, and the first four without the slot.
  for (let turn = 0; turn < 8; turn += 1) await new Promise(setImmediate);
  await encode('short', values(0));
  await Promise.all(long);
  expect(ended).toEqual(['short', 'long', 'next']);
});

it('rejects a long value if 20 wait', async () => {
  const running = Array.from({ length: 21 }, () => encodeJson(values(2)));
  const oneMore = encodeJson(values(2));
  // Before the first is encoded, so no other one has waited too long.
  await expect(Promise.race([...running, oneMore])).rejects.toMatchObject({ data: { kind: 'overloaded' } });
  await expect(oneMore).rejects.toMatchObject({ data: { kind: 'overloaded' } });
  await Promise.allSettled(running);
});
