import { conversationQuery, historyQuery, loginQuery } from './requests';

describe('historyQuery', () => {
  const parse = (query: object) => historyQuery.parse({ conversation_id: '01J', ...query });

  it('accepts before as milliseconds or as an ISO time', () => {
    expect(parse({ before: '1700000000123' }).before).toBe(1_700_000_000_123);
    expect(parse({ before: '2023-11-14T22:13:20.123Z' }).before).toBe(1_700_000_000_123);
    expect(parse({ before: '2023-11-15T00:13:20.123+02:00' }).before).toBe(1_700_000_000_123);
  });

  it('treats an empty parameter as absent', () => {
    expect(parse({ before: '', limit: '' })).toEqual(parse({}));
  });

  it('clamps a time beyond the maximum', () => {
    expect(parse({ before: '9007199254740991' }).before).toBe(Date.parse('9999-12-31T23:59:59.999Z'));
  });

  it('returns 50 messages by default and at most 200', () => {
    expect(parse({}).limit).toBe(50);
    expect(parse({ limit: '7' }).limit).toBe(7);
    expect(parse({ limit: '5000' }).limit).toBe(200);
  });

  it.each([
    [{ before: 'yesterday' }],
    [{ limit: '0' }],
    [{ limit: '-1' }],
    [{ limit: '1.5' }],
    [{ limit: 'x' }],
    [{ limit: ['1', '2'] }],
    [{ conversation_id: '' }],
  ])('rejects %j', (query) => {
    expect(historyQuery.safeParse({ conversation_id: '01J', ...query }).success).toBe(false);
  });
});

describe('conversationQuery', () => {
  it('accepts id, or ids separated by commas', () => {
    expect(conversationQuery.parse({ id: 'a' })).toEqual({ id: 'a', extended: false });
    expect(conversationQuery.parse({ ids: 'a, b,,c' })).toEqual({ ids: ['a', 'b', 'c'], extended: false });
    expect(conversationQuery.parse({ ids: 'a', extended: 'true' })).toEqual({ ids: ['a'], extended: true });
  });

  it.each([[{}], [{ id: ['a', 'b'] }], [{ ids: "a,b'c" }], [{ id: 'a b' }]])('rejects %j', (query) => {
    expect(conversationQuery.safeParse(query).success).toBe(false);
  });
});

describe('loginQuery', () => {
  it('preserves ts as the signed text', () => {
    expect(loginQuery.parse({ username: 'alice', ts: '1700000000000', sig: 'ff' }).ts).toBe('1700000000000');
  });

  it.each([['-1'], ['01700000000000'], ['1.5'], ['1e3'], ['now'], [''], [['1', '2']]])('rejects the ts %j', (ts) => {
    expect(loginQuery.safeParse({ username: 'alice', ts, sig: 'ff' }).success).toBe(false);
  });
});
