import { Pool } from 'pg';
import { AdoptedTimeline } from './adopted-timeline';
import { TimelineStore } from './timeline.store';

/** A query that ends when the test lets it. */
interface HeldQuery {
  succeed: () => void;
  fail: (error: Error) => void;
}

/** Returns a store, and the queries that it makes. */
function storeOfHeldQueries() {
  const held: HeldQuery[] = [];
  const rows = [{ system: '1', database: '2', timeline: '00000001', is_synchronous: false }];
  const query = () =>
    new Promise((resolve, fail) => {
      held.push({
        succeed: () => {
          resolve({ rows });
        },
        fail,
      });
    });
  const pool: Pool = Object.create(Pool.prototype, { query: { value: query } });
  return { held, store: new TimelineStore(pool, new AdoptedTimeline()) };
}

const turn = () => new Promise(setImmediate);

describe('TimelineStore', () => {
  it('shares one read among callers that arrive during another read, which may be too old for them', async () => {
    const { held, store } = storeOfHeldQueries();
    const first = store.read();
    await turn();
    const others = Array.from({ length: 1_000 }, () => store.read());
    await turn();
    expect(held).toHaveLength(1);
    held[0]?.succeed();
    await first;
    await turn();
    expect(held).toHaveLength(2);
    held[1]?.succeed();
    await Promise.all(others);
    expect(held).toHaveLength(2);
  });

  it('reads again after a read that has failed', async () => {
    const { held, store } = storeOfHeldQueries();
    const failing = store.read();
    await turn();
    held[0]?.fail(new Error('no database'));
    await expect(failing).rejects.toThrow('no database');
    const next = store.read();
    await turn();
    held[1]?.succeed();
    await expect(next).resolves.toMatchObject({ isSynchronous: false });
  });
});
