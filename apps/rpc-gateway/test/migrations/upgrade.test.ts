import { withDatabase } from '@waggle/testing';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { gatewayDatabase, migrate } from '../../src/database';
import { IndexPostContents1796800000000 } from '../../src/migrations/1796800000000-index-post-contents';
import { IndexUnderTest } from '../support/index-under-test';
import { act, castVote, create, deletion, paid, post, reblog, reply, rewarded, vote } from '../support/operations';

const [honey, wax] = ['honey', 'wax'].map((permlink) => ({ author: 'alice', permlink })) as [
  { author: string; permlink: string },
  { author: string; permlink: string },
];
const bees = 'hive-100001';

/** Reverts the tables to the version without the contents of posts. */
async function revertContents({ database }: IndexUnderTest): Promise<void> {
  const source = await new DataSource(gatewayDatabase({ url: database.url, poolSize: 2 })).initialize();
  const kept = source.migrations.findIndex((migration) => migration instanceof IndexPostContents1796800000000);
  for (let left = source.migrations.length; left > kept; left -= 1) await source.undoLastMigration();
  await source.destroy();
}

describe('an index of the version without the contents of posts', () => {
  let index: IndexUnderTest;
  let client: Client;
  beforeAll(async () => {
    index = await IndexUnderTest.start();
    client = new Client({ connectionString: index.database.url });
    await client.connect();
    await index.apply(
      [create('alice'), create('bob'), create(bees)],
      [post('alice', 'honey', { category: bees }), post('alice', 'wax', { category: bees }), post('alice', 'old')],
      [castVote('bob', honey), vote('bob', honey, 50, 9), castVote('bob', wax), vote('bob', wax, 70, 9)],
      [reblog('bob', honey), act(bees, 'mutePost', bees, { account: 'alice', permlink: 'wax', notes: 'x' })],
      [rewarded(wax, 8), paid(wax), reply('bob', 'sweet', honey), deletion({ author: 'alice', permlink: 'old' })],
    );
    // Of payouts with shares of beneficiaries the former version stored the other shares.
    await index.execute(
      `UPDATE payout SET curator_payout = 3, beneficiary_payout = 2, beneficiaries = '[{"account":"bob","weight":1}]' WHERE post_id = 2`,
    );
    await revertContents(index);
  });
  afterAll(async () => {
    await client.end();
    await index.stop();
  });

  const rowsOf = async (sql: string) => (await client.query<Record<string, unknown>>(sql)).rows;
  const payouts = [
    { post_id: '1', pending: '9', rshares: '50', is_paid: false },
    { post_id: '2', pending: '0', rshares: '70', is_paid: true },
    { post_id: '4', pending: '0', rshares: '0', is_paid: false },
  ];

  it('has the rows of that version before the upgrade', async () => {
    const young = `SELECT post_id, pending_payout AS pending, rshares, is_paid FROM young_post ORDER BY post_id`;
    expect(await rowsOf(young)).toEqual(payouts);
    expect(await rowsOf('SELECT payout FROM young_post ORDER BY post_id')).toEqual([
      { payout: '0' },
      { payout: '11' },
      { payout: '0' },
    ]);
    expect(await rowsOf('SELECT id FROM post WHERE is_muted')).toEqual([{ id: '2' }]);
    expect(await rowsOf('SELECT * FROM reblog')).toEqual([{ post_id: '1', account_id: 2 }]);
    expect(await rowsOf('SELECT * FROM vote')).toEqual([{ post_id: '1', voter_id: 2, rshares: '50' }]);
  });

  it('keeps its rows, but counts as one without contents and votes', async () => {
    await migrate(index.database.url);
    expect(await rowsOf('SELECT has_posts, has_votes, body_days FROM index_state')).toEqual([
      { has_posts: false, has_votes: false, body_days: 90 },
    ]);
    expect(
      await rowsOf('SELECT post_id, pending_payout AS pending, rshares, is_paid FROM payout ORDER BY post_id'),
    ).toEqual(payouts);
    expect(await rowsOf('SELECT * FROM ranked_post')).toEqual([]);
    expect(await rowsOf('SELECT id FROM post WHERE muted_reasons = 1')).toEqual([{ id: '2' }]);
    expect(await rowsOf('SELECT post_id, account_id, is_reblog FROM blog_entry')).toEqual([
      { post_id: '1', account_id: 2, is_reblog: true },
    ]);
  });

  it('goes on', async () => {
    await index.apply(
      [vote('bob', honey, 60, 7), post('alice', 'honey', { category: bees, title: 'Honey' }), reply('bob', 'b', honey)],
      [paid(honey), deletion(wax), post('alice', 'wax')],
    );
    expect(await rowsOf('SELECT post_id, rshares, is_paid FROM payout WHERE post_id < 3')).toEqual([
      { post_id: '1', rshares: '60', is_paid: true },
    ]);
    expect(await rowsOf('SELECT has_posts, has_votes FROM index_state')).toEqual([
      { has_posts: false, has_votes: false },
    ]);
    expect(await rowsOf('SELECT post_id FROM ranked_post ORDER BY post_id')).toEqual(
      ['4', '5', '6'].map((post_id) => ({ post_id })),
    );
    expect(await rowsOf('SELECT pending_posts, pending_payout FROM community')).toEqual([
      { pending_posts: 2, pending_payout: '0' },
    ]);
  });
});

describe('an index without posts', () => {
  let index: IndexUnderTest;
  beforeAll(async () => {
    index = await IndexUnderTest.start();
    await index.apply([create('alice')]);
    await revertContents(index);
    await migrate(index.database.url);
  });
  afterAll(() => index.stop());

  it('is complete after the upgrade', async () => {
    const { rows } = await withDatabase(index.database.url, (client) =>
      client.query('SELECT has_posts, has_votes, body_days, bodies_from = begins AS has_bodies FROM index_state'),
    );
    expect(rows).toEqual([{ has_posts: true, has_votes: true, body_days: null, has_bodies: true }]);
  });

  it('has the payouts of young posts after a downgrade, and unpaid ones', async () => {
    await index.apply([post('alice', 'honey'), post('alice', 'wax')], [paid(honey)]);
    await index.applyAt(98 * 86_400, [], [post('alice', 'young')], [paid({ author: 'alice', permlink: 'young' })]);
    await revertContents(index);
    const { rows } = await withDatabase(index.database.url, (client) =>
      client.query('SELECT post_id FROM young_post ORDER BY post_id'),
    );
    expect(rows).toEqual([{ post_id: '2' }, { post_id: '3' }]);
  });
});
