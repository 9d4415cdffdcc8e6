import { IndexUnderTest, type Item } from '../support/index-under-test';
import { create, custom, follow, readUpTo } from '../support/operations';

const followers = Array.from({ length: 12 }, (_, index) => `bee-${String(index).padStart(2, '0')}`);

describe('reading notifications', () => {
  let index: IndexUnderTest;
  const unread = (params: object = {}) => index.call('bridge.unread_notifications', { account: 'alice', ...params });

  beforeAll(async () => {
    index = await IndexUnderTest.start();
  });
  beforeEach(async () => {
    await index.reset();
    await index.apply(['alice', ...followers].map((name) => create(name)));
  });
  afterAll(() => index.stop());

  it('returns each notification once over all pages', async () => {
    // The ids of five notifications in one block differ only in the last bits.
    await index.apply(followers.slice(0, 5).map((name) => follow(name, 'alice')));
    for (const name of followers.slice(5)) await index.apply([follow(name, 'alice')]);
    const read: Item[] = [];
    for (;;) {
      const last = read.at(-1);
      const page = await index.items('alice', { limit: 2, ...(last && { last_id: last.id }) });
      if (page.length === 0) break;
      read.push(...page);
    }
    expect(read.map(({ msg }) => msg)).toEqual([...followers].reverse().map((name) => `@${name} followed you`));
    expect(read.map(({ id }) => id)).toEqual([...read.map(({ id }) => id)].sort((one, other) => other - one));
  });

  it('excludes notifications with a lower score', async () => {
    await index.apply([follow('bee-00', 'alice')]);
    expect(await index.call('bridge.account_notifications', { account: 'alice' })).toHaveLength(1);
    expect(await index.items('alice', { min_score: 26 })).toEqual([]);
    expect(await unread({ min_score: 26 })).toMatchObject({ unread: 0 });
  });

  it('is recorded by the account, and later notifications are unread', async () => {
    await index.apply([follow('bee-00', 'alice')], [follow('bee-01', 'alice')]);
    expect(await unread()).toEqual({ lastread: '1970-01-01 00:00:00', unread: 2 });
    // All notifications so far have an earlier time.
    const { date } = index;
    await index.apply([readUpTo('alice', date), follow('bee-02', 'alice')]);
    expect(await unread()).toEqual({ lastread: date.replace('T', ' '), unread: 1 });
    await index.apply([readUpTo('alice', '2016-04-01T00:00:00')]);
    expect(await unread()).toEqual({ lastread: '2016-04-01 00:00:00', unread: 3 });
  });

  // hivemind takes a date of the form YYYY-MM-DDTHH:MM:SS that is not in the future, and otherwise the time of the
  // block (`process_lastread_from_staging` and, without a date, `_process_notify` in hive/indexer/custom_op.py).
  it.each([
    {},
    { date: null },
    { date: '' },
    { date: 'yesterday' },
    { date: '2016-04-01' },
    { date: '2016-04-01 00:00:00' },
    { date: '2016-04-01T00:00:00.000' },
    { date: '2016-04-01T00:00:00.000Z' },
    { date: '2016-04-01T00:00:00Z' },
    { date: '2016-04-01T00:00:00+02:00' },
    { date: '2016-13-01T00:00:00' },
    { date: '2099-01-01T00:00:00' },
    { date: 1_459_468_800 },
    { date: ['2016-04-01T00:00:00'] },
    { other: '2016-04-01T00:00:00' },
  ])('is the time of the block for %j', async (payload) => {
    await index.apply([follow('bee-00', 'alice')]);
    const { date } = index;
    await index.apply([custom('alice', 'notify', ['setLastRead', payload])]);
    expect(await unread()).toEqual({ lastread: date.replace('T', ' '), unread: 0 });
  });

  it('ignores dates besides a date that is valid', async () => {
    const payload = { date: '2016-04-01T00:00:00', other: '2016-05-01T00:00:00' };
    await index.apply([custom('alice', 'notify', ['setLastRead', payload])]);
    expect(await unread()).toMatchObject({ lastread: '2016-04-01 00:00:00' });
  });

  it('is not recorded by other JSON', async () => {
    for (const json of [['setLastRead'], ['setLastRead', null], ['setLastRead', {}, {}], ['setlastread', {}], {}])
      await index.apply([custom('alice', 'notify', json)]);
    expect(await unread()).toMatchObject({ lastread: '1970-01-01 00:00:00' });
  });

  it('is not before 1970', async () => {
    await index.apply([readUpTo('alice', '1968-01-01T00:00:00')]);
    expect(await unread()).toMatchObject({ lastread: '1970-01-01 00:00:00' });
  });
});
