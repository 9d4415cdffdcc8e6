import { Random } from '@waggle/testing';
import { timeOf } from '../support/blocks';
import { IndexUnderTest } from '../support/index-under-test';
import { RandomHistory } from '../support/random-history';

const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

describe(`blocks applied in batches (SEED=${seed})`, () => {
  let index: IndexUnderTest;
  beforeAll(async () => {
    index = await IndexUnderTest.start();
  });
  afterAll(() => index.stop());

  it('produce the same index as blocks applied one by one', async () => {
    const blocks = new RandomHistory(new Random(seed)).timedBlocks(150);
    const secondsOfAll = blocks.reduce((sum, { seconds }) => sum + seconds, 0);
    const headTime = new Date(timeOf(0).getTime() + secondsOfAll * 1_000);
    const rowsBy = async (atOnce: number, head?: Date) => {
      await index.reset(head);
      for (let first = 0; first < blocks.length; first += atOnce) {
        await index.applyTimed(blocks.slice(first, first + atOnce));
      }
      return index.everyRow();
    };
    const each = await rowsBy(1);
    expect(await rowsBy(7)).toEqual(each);
    expect(await rowsBy(blocks.length)).toEqual(each);
    // An index that catches up skips rows that expire before it has caught up.
    expect(await rowsBy(7, headTime)).toEqual(each);
    // The history is not trivial.
    for (const table of [
      'follow',
      'post',
      'post_tag',
      'post_text',
      'ranked_post',
      'vote',
      'community_role',
      'notification',
    ]) {
      expect(each[table]?.length).toBeGreaterThan(0);
    }
  });
});
