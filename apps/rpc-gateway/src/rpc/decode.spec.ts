import { rpcRequest } from '@waggle/contracts';
import { AnswerRoom } from './answer-room';
import { decodeBody as decodeInRoom } from './decode';

const room = new AnswerRoom(0);
const decodeBody = (text: string) => decodeInRoom(text, room);

const decodeOne = (request: unknown) => decodeBody(JSON.stringify(request)).items[0];

/** Of a body as a whole. */
function refusalOf(text: string): unknown {
  const { items, isBatch } = decodeBody(text);
  const [refusal] = items;
  if (isBatch || items.length !== 1 || refusal === undefined || !('error' in refusal)) return undefined;
  const { code, message, data } = refusal.error;
  return { id: refusal.id, code, message, data };
}

const good = { jsonrpc: '2.0', id: 1, method: 'bridge.get_post', params: { author: 'alice' } };

describe('decodeBody', () => {
  it('reads a call, whether its parameters are named, in order, or left out', () => {
    expect(decodeOne(good)).toEqual({
      id: '1',
      method: 'bridge.get_post',
      params: { author: 'alice' },
      paramsText: '{"author":"alice"}',
      isViaCall: false,
      room,
    });
    expect(decodeOne({ ...good, params: ['alice'] })).toMatchObject({ params: ['alice'], paramsText: '["alice"]' });
    expect(decodeOne({ ...good, params: undefined })).toMatchObject({ params: undefined, paramsText: undefined });
  });

  it('reads `call` as the method that it names', () => {
    const call = (...params: unknown[]) => decodeOne({ ...good, method: 'call', params });
    const read = { id: '1', method: 'condenser_api.get_follow_count', isViaCall: true, room };
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
    ['a text', String.raw`"ab\u0001"`, String.raw`"ab\u0001"`],
    ['null', 'null', 'null'],
  ])('keeps an id that is %s', (_what, id, kept) => {
    expect(decodeBody(`{"jsonrpc":"2.0","method":"a.b","id":${id}}`).items[0]).toMatchObject({ id: kept });
  });

  it('takes what has no id for a notification', () => {
    expect(decodeOne({ jsonrpc: '2.0', method: 'a.b' })).toEqual({ method: 'a.b', isViaCall: false, room });
  });

  it('keeps numbers of the parameters as they came', () => {
    const params = '{"last_id":18446744073709551615,"rate":1e999}';
    expect(decodeBody(`{"jsonrpc":"2.0","method":"a.b","params":${params},"id":1}`).items[0]).toMatchObject({
      paramsText: params,
    });
    const call = `[{"jsonrpc":"2.0","method":"call","params":["a","b",[18446744073709551615]],"id":1}]`;
    expect(decodeBody(call).items[0]).toMatchObject({ method: 'a.b', paramsText: '[18446744073709551615]' });
  });

  it.each([
    ['an array', [good]],
    ['a text', 'x'],
    ['null', null],
    ['empty', {}],
    ['without jsonrpc', { ...good, jsonrpc: undefined }],
    ['of JSON-RPC 1.0', { ...good, jsonrpc: '1.0' }],
    ['with jsonrpc as a number', { ...good, jsonrpc: 2.0 }],
    ['without a method', { ...good, method: undefined }],
    ['with a method that is a number', { ...good, method: 7 }],
    ['with an empty method', { ...good, method: '' }],
    ['with an id that is a truth', { ...good, id: true }],
    ['with an id that is an array', { ...good, id: [1] }],
    ['with an id that is an object', { ...good, id: {} }],
    ['with parameters that are a text', { ...good, params: 'alice' }],
    ['with parameters that are a number', { ...good, params: 1 }],
    ['with parameters that are null', { ...good, params: null }],
  ])('refuses an item that is %s, as the contract does', (_what, item) => {
    expect(rpcRequest.safeParse(item).success).toBe(false);
    const hasId = typeof item === 'object' && item !== null && 'id' in item && item.id === 1;
    expect(decodeBody(JSON.stringify([item])).items).toEqual([
      { id: hasId ? '1' : 'null', error: expect.objectContaining({ code: -32600 }) },
    ]);
  });

  it('says `Invalid JSON-RPC` where it is another version', () => {
    expect(decodeOne({ ...good, jsonrpc: '1.0' })).toMatchObject({ error: { message: 'Invalid JSON-RPC' } });
  });

  it.each(['', 'x', '{"jsonrpc":"2.0"', '{}{}', '[1,]', '\u0000'])('refuses %j as no JSON', (text) => {
    expect(refusalOf(text)).toEqual({ id: 'null', code: -32700, message: 'Parse error', data: undefined });
  });

  it('takes 1 to 50 items', () => {
    const batch = (count: number) => JSON.stringify(Array.from({ length: count }, () => good));
    expect(refusalOf('[]')).toMatchObject({ id: 'null', code: -32600 });
    expect(decodeBody(batch(50)).items).toHaveLength(50);
    expect(refusalOf(batch(51))).toMatchObject({ id: 'null', code: -32600 });
  });

  it('refuses parameters of 100,000 levels, and names of methods of any length', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect(decodeBody(`{"jsonrpc":"2.0","id":1,"method":"a.b","params":${deep}}`).items[0]).toMatchObject({
      id: '1',
      error: { code: -32600 },
    });
    expect(decodeOne({ ...good, method: `a.${'b'.repeat(200)}` })).toMatchObject({ error: { code: -32600 } });
  });
});
