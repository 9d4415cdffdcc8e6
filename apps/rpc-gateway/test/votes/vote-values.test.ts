import { Random, withDatabase } from '@waggle/testing';
import { voteNotification } from '../../src/indexer/posts/vote-notification';
import { IndexUnderTest } from '../support/index-under-test';
import { create, post, vote } from '../support/operations';

const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
const honey = { author: 'alice', permlink: 'honey' };

interface Vote {
  /** Of the post, in thousandths of HBD. */
  readonly payout: bigint;
  readonly rshares: bigint;
  /** The sum of the votes, and of their absolute values. */
  readonly all: bigint;
  readonly absolute: bigint;
}

/**
 * Computes score and payload in PostgreSQL, with the types of hivemind: payouts are `numeric(10,3)`, the score is
 * computed from a `numeric` (`calculate_notify_vote_score`), and the value, compared with 0.02 and printed, is a
 * `float` (`calculate_value_of_vote_on_post`, `format_vote_value_payload`).
 */
const computed = `
  SELECT CASE WHEN value >= 0.02 AND thousandths >= 20 THEN
    least(100, 25 * (length(thousandths::bigint::text) - 1)) || ' ' || to_char(value, '($FM99990.00)') END AS line
  FROM (
    SELECT position, (payout::numeric(10,3) / all_rshares * rshares)::float AS value,
      payout::numeric(10,3) / absolute_rshares * rshares * 1000 AS thousandths
    FROM unnest($1::numeric[], $2::numeric[], $3::numeric[], $4::numeric[])
      WITH ORDINALITY votes (payout, rshares, all_rshares, absolute_rshares, position)
  ) shares ORDER BY position`;

describe('the value of a vote', () => {
  let index: IndexUnderTest;
  beforeAll(async () => {
    index = await IndexUnderTest.start();
  });
  beforeEach(async () => {
    await index.reset();
    await index.apply([create('alice'), create('bob'), create('carol'), post('alice', 'honey')]);
  });
  afterAll(() => index.stop());

  it.each([
    [125, '$0.12'],
    [375, '$0.38'],
    [625, '$0.62'],
    [875, '$0.88'],
    [10_125, '$10.12'],
    [10_375, '$10.38'],
    [25, '$0.03'],
    [1_005, '$1.00'],
    [1_234, '$1.23'],
  ])('of %i thousandths is written as %s', async (payout, text) => {
    await index.apply([vote('bob', honey, 20_000_000_000, payout)]);
    expect(await index.messages('alice')).toEqual([`@bob voted on your post (${text})`]);
  });

  // 0.02 / 60000000000 is rounded down, and 0.02 / 30000000000 up.
  it.each([
    [20, 20_000_000_000, ['@bob voted on your post ($0.02)']],
    [20, 30_000_000_000, ['@bob voted on your post ($0.02)']],
    [20, 60_000_000_000, []],
    [19, 30_000_000_000, []],
    [21, 60_000_000_000, ['@bob voted on your post ($0.02)']],
  ])('is compared with 0.020: %i thousandths for %i rshares', async (payout, rshares, messages) => {
    await index.apply([vote('bob', honey, rshares, payout)]);
    expect(await index.messages('alice')).toEqual(messages);
  });

  it('of a share is that of an exact decimal', async () => {
    // In floating point, 0.036 / 90000000000 * 50000000000 is less than 0.02.
    await index.apply([vote('carol', honey, 40_000_000_000, 0)], [vote('bob', honey, 50_000_000_000, 36)]);
    expect(await index.messages('alice')).toEqual(['@bob voted on your post ($0.02)']);
  });

  it('has at most five digits, of a post with as many votes against it', async () => {
    await index.apply([vote('carol', honey, -19_999_999_999, 0)], [vote('bob', honey, 20_000_000_000, 50)]);
    expect(await index.messages('alice')).toEqual(['@bob voted on your post ($#####.##)']);
  });

  it(`is that of PostgreSQL (SEED=${seed})`, async () => {
    const random = new Random(seed);
    const votes = Array.from({ length: 20_000 }, (): Vote => {
      const rshares = random.pick([1n, 3n, 7n, 9n]) * 10_000_000_000n + random.pick([0n, random.bits(42)]);
      const others = random.pick([0n, rshares, rshares * 2n, rshares * 7n, random.bits(45)]);
      const against = random.pick([0n, rshares / 2n, random.bits(38)]);
      const payout = BigInt(random.pick([20, 40, 60, 100, 125, 625, random.below(300), random.below(10_000_000)]));
      return { payout, rshares, all: rshares + others - against, absolute: rshares + others + against };
    }).filter(({ all }) => all !== 0n);
    const column = (of: (each: Vote) => bigint, scale = '') => votes.map((each) => `${of(each)}${scale}`);
    const { rows } = await withDatabase(index.database.url, (client) =>
      client.query<{ line: string | null }>(computed, [
        column(({ payout }) => payout, 'e-3'),
        column(({ rshares }) => rshares),
        column(({ all }) => all),
        column(({ absolute }) => absolute),
      ]),
    );
    const ours = votes.map(({ payout, rshares, all, absolute }) => {
      const post = { payout: 0n, pendingPayout: payout, rshares: all, absoluteRshares: absolute };
      const details = voteNotification(post, rshares);
      return details ? `${details.score} ${details.payload}` : null;
    });
    expect(ours).toEqual(rows.map(({ line }) => line));
  });
});
