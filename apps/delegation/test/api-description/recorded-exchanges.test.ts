// `RECORD=true npx jest recorded-exchanges` writes recorded-exchanges.json: only for a change that documented clients
// may notice.
import path from 'node:path';
import { Recording } from '@waggle/testing';
import { blocksFrom, createWithDelegation, delegate, hardforkHive, returnDelegation } from '../support/blocks';
import { DelegationUnderTest } from '../support/delegation-under-test';

const vests = (amount: number) => BigInt(amount * 1_000_000);

let service: DelegationUnderTest;
beforeAll(async () => {
  service = await DelegationUnderTest.start({ corsOrigins: ['https://app.example'] });
  await service.feed.begin();
  await service.feed.apply(
    blocksFrom(1, [
      [delegate('alice', 'bob', vests(1_000.5)), delegate('carol', 'bob', 9_007_199_254_740_993n)],
      [createWithDelegation('alice', 'newcomer', vests(10)), delegate('erin', 'bob', 3n), delegate('dave', 'bob', 4n)],
      [delegate('alice', 'bob', vests(400))],
      [delegate('carol', 'dave', vests(7)), delegate('dave', 'carol', 1n)],
      [hardforkHive('carol', ['bob', 'dave'])],
      [returnDelegation('alice', vests(600.5)), delegate('alice', 'newcomer', vests(4))],
    ]),
  );
});
afterAll(() => service.stop());

it('documented clients get the recorded responses from the delegation service', async () => {
  const recording = new Recording(service.url);
  const get = (query: string, headers: Record<string, string> = {}) =>
    recording.request({ path: `/api/deleg/${query}`, headers });
  const csv = { Accept: 'text/csv' };

  for (const account of ['bob', 'alice', 'nobody-here']) {
    for (const list of ['account', 'in', 'out', 'history/in', 'history/out', 'returns']) {
      await get(`${list}?account=${account}`);
    }
  }
  await get('in?account=bob', { Accept: 'application/json', Origin: 'https://app.example' });
  for (const query of ['&limit=2', '&limit=1&after_id=1', '&before_id=5&limit=1', '&as_of_block=1', '&limit=']) {
    await get(`in?account=bob${query}`);
  }
  for (const query of ['&limit=2', '&limit=1&after_id=1048577', '&before_id=3145728&limit=1', '&as_of_block=1']) {
    await get(`history/in?account=bob${query}`);
  }
  await get('history/in?account=bob&descending=false&limit=3');
  await get('history/out?account=alice&descending=True');
  await get('pair?delegator=alice&delegatee=bob');
  await get('pair?delegator=bob&delegatee=alice&as_of_block=2');
  for (const list of ['account', 'in', 'out', 'history/in', 'history/out']) await get(`${list}?account=bob`, csv);
  await get('in?account=bob&limit=2&after_id=1', csv);
  await get('history/in?account=bob&as_of_block=3', csv);

  const { headers } = await get('out?account=alice');
  await get('out?account=alice', { 'If-None-Match': headers.get('etag') ?? '' });

  for (const wrong of ['', '?account=', '?account=BOB', '?account=a&account=b', '?account=bob&limit=0']) {
    await get(`in${wrong}`);
  }
  for (const wrong of ['&limit=1001', '&after_id=999', '&as_of_block=99', '&descending=maybe']) {
    await get(`history/in?account=bob${wrong}`);
  }
  await get('nothing?account=bob');
  await recording.request({ path: '/api/deleg/in?account=bob', method: 'POST', body: {} });

  const { now, recorded } = recording.comparedWith(path.join(__dirname, 'recorded-exchanges.json'));
  expect(now).toEqual(recorded);
});
