import { restError } from '@waggle/contracts';
import { blocksFrom, delegate } from '../support/blocks';
import { DelegationUnderTest } from '../support/delegation-under-test';

const lists = ['in', 'out', 'history/in', 'history/out', 'returns'];
const ofAccount = ['account', ...lists];

const alice = (path: string) => `${path}?account=alice`;

const cases = (paths: readonly string[], queries: readonly string[]) =>
  paths.flatMap((path) => queries.map((query): [string, string] => [path, query]));

describe('bad input', () => {
  let service: DelegationUnderTest;
  beforeAll(async () => {
    service = await DelegationUnderTest.start();
    await service.feed.begin();
    await service.feed.apply(blocksFrom(1, [[delegate('alice', 'bob', 5n), delegate('carol', 'dave', 7n)]]));
  });
  afterAll(() => service.stop());

  const errorOf = async (path: string) => {
    const { status, text } = await service.get(`/api/deleg/${path}`);
    const error = restError.parse(JSON.parse(text));
    expect(error.statusCode).toBe(status);
    return error;
  };
  const expectInvalid = async (path: string, parameter: string) => {
    const { statusCode, code, message } = await errorOf(path);
    expect([path, statusCode, code]).toEqual([path, 400, 'invalid-request']);
    expect(message.split(':')[0]).toBe(parameter);
  };

  it.each(
    cases(ofAccount, [
      '',
      'account=',
      'accounts=alice',
      'Account=alice',
      'account=al',
      'account=a-name-of-more-than-16',
      `account=${'a'.repeat(5_000)}`,
      'account=Alice',
      'account=ALICE',
      'account=%40alice',
      'account=алиса',
      'account=%D0%B0lice',
      'account=ａｌｉｃｅ',
      'account=alice%00',
      'account=alice%20',
      'account=%20alice',
      'account=alice%0A',
      "account=alice'--",
      'account=%27%20OR%201%3D1%3B--',
      'account=alice%3B%20DROP%20TABLE%20delegation',
      'account=.alice',
      'account=alice.',
      'account=al..ice',
      'account=1alice',
      'account=alice&account=bob',
      'account=alice&account=alice',
      'account[]=alice',
      'account[name]=alice',
    ]).map(([path, query]): [string, string] => [path, encodeURI(decodeURIComponent(query))]),
  )('%s?%s names account', async (path, query) => {
    await expectInvalid(`${path}?${query}`, 'account');
  });

  it.each(
    cases(lists, [
      'limit=0',
      'limit=-1',
      'limit=1001',
      'limit=99999999999999999999',
      'limit=1.5',
      'limit=1e2',
      'limit=0x10',
      'limit=many',
      'limit=NaN',
      'limit=Infinity',
      'limit=undefined',
      'limit=null',
      'limit=%201',
      'limit=1&limit=2',
    ]),
  )('%s?%s names limit', async (path, query) => {
    await expectInvalid(`${path}?account=alice&${query}`, 'limit');
  });

  it.each(
    cases(
      ['history/in', 'history/out'],
      [
        'descending=maybe',
        'descending=0',
        'descending=1',
        'descending=yes',
        'descending=desc',
        'descending=truefalse',
        'descending=true&descending=false',
      ],
    ),
  )('%s?%s names descending', async (path, query) => {
    await expectInvalid(`${path}?account=alice&${query}`, 'descending');
  });

  it.each(
    cases(lists, [
      'after_id=-1',
      'after_id=x',
      'after_id=1.5',
      'after_id=9007199254740993',
      'after_id=99999999999999999999',
      'after_id=1&after_id=1',
      'before_id=-1',
      'before_id=x',
      'before_id=9007199254740993',
    ]),
  )('%s?%s names the cursor', async (path, query) => {
    await expectInvalid(`${path}?account=alice&${query}`, query.split('=')[0] ?? '');
  });

  it.each([
    ['in?account=bob&after_id=2', 'after_id'],
    ['in?account=bob&before_id=2', 'before_id'],
    ['in?account=bob&before_id=0', 'before_id'],
    ['in?account=alice&after_id=1', 'after_id'],
    ['out?account=alice&after_id=2', 'after_id'],
    [`out?account=alice&after_id=${2 ** 20}`, 'after_id'],
    ['history/in?account=bob&after_id=1', 'after_id'],
    [`history/in?account=bob&before_id=${2 ** 20 + 1}`, 'before_id'],
    [`history/out?account=bob&after_id=${2 ** 20}`, 'after_id'],
    ['in?account=bob&after_id=9007199254740991', 'after_id'],
  ])('%s: rejects a cursor of another list', async (path, parameter) => {
    await expectInvalid(path, parameter);
  });

  it.each(['in?account=bob&after_id=1', 'in?account=bob&before_id=1', 'in?account=bob&after_id=0'])(
    '%s: accepts a cursor of this list',
    async (path) => {
      expect((await service.get(`/api/deleg/${path}`)).status).toBe(200);
    },
  );

  it.each(
    cases(
      ['account', 'in', 'out', 'history/in', 'history/out'],
      ['as_of_block=x', 'as_of_block=-1', 'as_of_block=1&as_of_block=1'],
    ),
  )('%s?%s names as_of_block', async (path, query) => {
    await expectInvalid(`${path}?account=alice&${query}`, 'as_of_block');
  });

  it.each([...['account', 'in', 'out', 'history/in', 'history/out'].map(alice), 'pair?delegator=alice&delegatee=bob'])(
    '%s: a block that is not indexed yet has its own error, which names the last indexed block',
    async (path) => {
      for (const block of [2, 2 ** 33, 2 ** 43, Number.MAX_SAFE_INTEGER]) {
        const { statusCode, code, message } = await errorOf(`${path}&as_of_block=${block}`);
        expect([block, statusCode, code]).toEqual([block, 404, 'not-synced']);
        expect(message).toBe('as_of_block: the last block that is known is 1');
      }
      expect((await service.get(`/api/deleg/${path}&as_of_block=1`)).status).toBe(200);
    },
  );

  it.each([
    ['pair?delegatee=bob', 'delegator'],
    ['pair?delegator=alice', 'delegatee'],
    ['pair?delegator=alice&delegatee=BOB', 'delegatee'],
    ['pair?delegator=alice&delegator=alice&delegatee=bob', 'delegator'],
    ['pair?delegator=alice&delegatee=bob&as_of_block=x', 'as_of_block'],
  ])('%s names the parameter', async (path, parameter) => {
    await expectInvalid(path, parameter);
  });

  it('reports all errors at once', async () => {
    const { message } = await errorOf('in?limit=0&after_id=x');
    expect(message).toBe('account: is required; limit: must be at least 1; after_id: not a whole number');
  });

  it('ignores unknown parameters, even repeated ones', async () => {
    const plain = await service.get('/api/deleg/in?account=bob');
    for (const more of ['_=1730000000', 'x=1&x=2', 'descending=maybe', '__proto__=1', 'constructor=1', 'limit[]=1']) {
      expect((await service.get(`/api/deleg/in?account=bob&${more}`)).text).toBe(plain.text);
    }
  });

  it('treats an empty parameter as absent, and accepts true and false in any case', async () => {
    const plain = await service.get('/api/deleg/history/in?account=bob');
    const empty = 'limit=&descending=&after_id=&before_id=&as_of_block=';
    expect((await service.get(`/api/deleg/history/in?account=bob&${empty}`)).text).toBe(plain.text);
    expect((await service.get('/api/deleg/history/in?account=bob&descending=True')).text).toBe(plain.text);
  });

  it('rejects a query that cannot be decoded', async () => {
    const { statusCode } = await errorOf('in?account=%E0%A4%A');
    expect(statusCode).toBe(400);
  });

  it('is never logged as an internal error', () => {
    expect(service.logLines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });
});
