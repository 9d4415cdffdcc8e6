import { rpcRequest } from '@waggle/contracts';
import { RequestByteBudget } from './request-byte-budget';
import { decodeBody as decodeWithBudget } from './decode';

const budget = new RequestByteBudget(0);
const decodeBody = (text: string) => decodeWithBudget(text, budget);

const decodeOne = (request: unknown) => decodeBody(JSON.stringify(request)).items[0];

/** The error of a body that is invalid as a whole. */
function bodyErrorOf(text: string): unknown {
  const { items, isBatch } = decodeBody(text);
  const [item] = items;
  if (isBatch || items.length !== 1 || item === undefined || !('error' in item)) return undefined;
  const { code, message, data } = item.error;
  return { id: item.id, code, message, data };
}

const good = { jsonrpc: '2.0', id: 1, method: 'bridge.get_post', params: { author: 'alice' } };

describe('decodeBody', () => {
  it('decodes a call with named, positional or no parameters', () => {
    expect(decodeOne(good)).toEqual({
      id: '1',
      method: 'bridge.get_post',
      params: { author: 'alice' },
      paramsText: '{"author":"alice"}',
      isViaCall: false,
      budget,
    });
    expect(decodeOne({ ...good, params: ['alice'] })).toMatchObject({ params: ['alice'], paramsText: '["alice"]' });
    expect(decodeOne({ ...good, params: undefined })).toMatchObject({ params: undefined, paramsText: undefined });
  });

  it('decodes `call` as the method that it names', () => {
    const call = (...params: unknown[]) => decodeOne({ ...good, method: 'call', params });
    const read = { id: '1', method: 'condenser_api.get_follow_count', isViaCall: true, budget };
    expect(call('condenser_api', 'get_follow_count', ['alice'])).toEqual({
      ...read,
      params: ['alice'],
      paramsText: '["alice"]',
    });
    expect(call('condenser_api', 'get_follow_count')).toEqual({ ...read, params: undefined, paramsText: undefined });
    for (const bad of [[], ['a'], ['a', 1], [0, 'b', []], ['a', 'b', 'c'], ['a', 'b', [], 'd']])
      expect(call(...bad)).toMatchObject({ id: '1', error: { code: -32602 } });
    expect(decodeOne({ ...good, method: 'call', params: { 0: 'a' } })).toMatchObject({ error: { code: -32602 } });
  });

  it.each([
    ['a number', '7', '7'],
    ['a number beyond 2^53', '12345678901234567890', '12345678901234567890'],
    ['a fraction', '1.5', '1.5'],
    ['a small fraction', '0.0000001', '0.0000001'],
    ['a fraction of 18 digits', '123456789012.345678', '123456789012.345678'],
    ['a string', String.raw`"ab\u0001"`, String.raw`"ab\u0001"`],
    ['null', 'null', 'null'],
  ])('preserves an id that is %s', (_what, id, expected) => {
    expect(decodeBody(`{"jsonrpc":"2.0","method":"a.b","id":${id}}`).items[0]).toMatchObject({ id: expected });
  });

  it('decodes a call without an id as a notification', () => {
    expect(decodeOne({ jsonrpc: '2.0', method: 'a.b' })).toEqual({ method: 'a.b', isViaCall: false, budget });
  });

  it('preserves numbers of parameters that JavaScript cannot represent', () => {
    const params = '{"last_id":18446744073709551615,"rate":1e999}';
    expect(decodeBody(`{"jsonrpc":"2.0","method":"a.b","params":${params},"id":1}`).items[0]).toMatchObject({
      paramsText: params,
    });
    const call = `[{"jsonrpc":"2.0","method":"call","params":["a","b",[18446744073709551615]],"id":1}]`;
    expect(decodeBody(call).items[0]).toMatchObject({ method: 'a.b', paramsText: '[18446744073709551615]' });
  });

  it.each([
    ['an array', [good]],
    ['a string', 'x'],
    ['null', null],
    ['empty', {}],
    ['without jsonrpc', { ...good, jsonrpc: undefined }],
    ['of JSON-RPC 1.0', { ...good, jsonrpc: '1.0' }],
    ['with jsonrpc as a number', { ...good, jsonrpc: 2.0 }],
    ['without a method', { ...good, method: undefined }],
    ['with a method that is a number', { ...good, method: 7 }],
    ['with an empty method', { ...good, method: '' }],
    ['with a boolean id', { ...good, id: true }],
    ['with an id that is an array', { ...good, id: [1] }],
    ['with an id that is an object', { ...good, id: {} }],
    ['with parameters that are a string', { ...good, params: 'alice' }],
    ['with parameters that are a number', { ...good, params: 1 }],
    ['with parameters that are null', { ...good, params: null }],
  ])('rejects an item that is %s, as the contract does', (_what, item) => {
    expect(rpcRequest.safeParse(item).success).toBe(false);
    const hasId = typeof item === 'object' && item !== null && 'id' in item && item.id === 1;
    expect(decodeBody(JSON.stringify([item])).items).toEqual([
      { id: hasId ? '1' : 'null', error: expect.objectContaining({ code: -32600 }) },
    ]);
  });

  it('reports `Invalid JSON-RPC` for another version', () => {
    expect(decodeOne({ ...good, jsonrpc: '1.0' })).toMatchObject({ error: { message: 'Invalid JSON-RPC' } });
  });

  it.each(['', 'x', '{"jsonrpc":"2.0"', '{}{}', '[1,]', '\u0000'])('reports a parse error for %j', (text) => {
    expect(bodyErrorOf(text)).toEqual({ id: 'null', code: -32700, message: 'Parse error', data: undefined });
  });

  it('accepts 1 to 50 items', () => {
    const batch = (count: number) => JSON.stringify(Array.from({ length: count }, () => good));
    expect(bodyErrorOf('[]')).toMatchObject({ id: 'null', code: -32600 });
    expect(decodeBody(batch(50)).items).toHaveLength(50);
    expect(bodyErrorOf(batch(51))).toMatchObject({ id: 'null', code: -32600 });
  });

  it('rejects a batch of half a million numbers in about the time of JSON.parse', () => {
    const text = `[1e1${',0'.repeat(500_000)}]`;
    const parseMs = shortestMs(() => JSON.parse(text) as unknown);
    expect(shortestMs(() => decodeBody(text))).toBeLessThan(8 * parseMs);
  });

  // Node 20 cannot serialize 100,000 levels; Node 26 can.
  it('rejects parameters nested deeper than can be serialized, and methods with long names', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect(decodeBody(`{"jsonrpc":"2.0","id":1,"method":"a.b","params":${deep}}`).items[0]).toMatchObject({
      id: '1',
      ...(!canSerialize(JSON.parse(deep)) && { error: { code: -32600 } }),
    });
    expect(decodeOne({ ...good, method: `a.${'b'.repeat(200)}` })).toMatchObject({ error: { code: -32600 } });
  });
});

function shortestMs(work: () => unknown): number {
  const durations = Array.from({ length: 7 }, () => {
    const startedMs = performance.now();
    work();
    return performance.now() - startedMs;
  });
  return Math.min(...durations);
}

function canSerialize(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
}
