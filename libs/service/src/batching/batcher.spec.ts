import { Batcher } from './batcher';

interface Item {
  id: string;
  key: string;
}
type Results = (string | Promise<string>)[];

describe('Batcher', () => {
  let flushes: { ids: string[]; finish: (results?: Results) => void; fail: (error: Error) => void }[];
  let batcher: Batcher<Item, string>;
  beforeEach(() => {
    flushes = [];
    batcher = new Batcher<Item, string>({
      keyOf: ({ key }) => key,
      flush: (items) =>
        new Promise((resolve, reject) => {
          const ids = items.map(({ id }) => id);
          const finish = (results: Results = ids) => {
            resolve(new Map(items.map((item, i) => [item, results[i] ?? ''])));
          };
          flushes.push({ ids, finish, fail: reject });
        }),
      maxItems: 3,
      maxFlushes: 2,
      maxQueued: 5,
      maxQueuedPerKey: 3,
      maxWaitMs: 1_000,
      overloaded: () => new Error('overloaded'),
    });
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  const add = (id: string, key = id) => batcher.add({ id, key });
  const turn = () => new Promise(setImmediate);
  const flushed = () => flushes.map(({ ids }) => ids);

  it('flushes a single item at once, and then all waiting items together', async () => {
    const results = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => add(id));
    expect(flushed()).toEqual([['a'], ['b']]);
    flushes[0]?.finish();
    await turn();
    expect(flushed()).toEqual([['a'], ['b'], ['c', 'd', 'e']]);
    flushes[1]?.finish();
    await turn();
    for (const { finish } of flushes) finish();
    expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });

  it('flushes a key in one flush at a time, in order', async () => {
    void add('a1', 'a');
    void add('a2', 'a');
    void add('a3', 'a');
    void add('b');
    expect(flushed()).toEqual([['a1'], ['b']]);
    flushes[1]?.finish();
    await turn();
    expect(flushes).toHaveLength(2);
    flushes[0]?.finish();
    await turn();
    expect(flushed().at(-1)).toEqual(['a2', 'a3']);
  });

  it('keeps a key busy until its promised result settles, without blocking other keys', async () => {
    let finish: (result: string) => void = () => undefined;
    const unfinished = new Promise<string>((resolve) => (finish = resolve));
    const a1 = add('a1', 'a');
    void add('a2', 'a');
    flushes[0]?.finish([unfinished]);
    await turn();
    void add('b');
    expect(flushed()).toEqual([['a1'], ['b']]);
    finish('later');
    expect(await a1).toBe('later');
    await turn();
    expect(flushed()).toEqual([['a1'], ['b'], ['a2']]);
  });

  it('does not search the queue for an item whose key is busy', () => {
    const flush = () => new Promise<never>(() => undefined);
    const limits = { maxItems: 1, maxFlushes: 2, maxQueued: 1_000, maxQueuedPerKey: 1_000, maxWaitMs: 1_000 };
    const options = { keyOf: () => 'k', flush, ...limits };
    const busy = new Batcher<object, string>({ ...options, overloaded: () => new Error('overloaded') });
    void busy.add({});
    const searches = jest.spyOn(Array.prototype, 'entries');
    for (let n = 0; n < 10; n += 1) void busy.add({});
    expect(searches).not.toHaveBeenCalled();
  });

  it('rejects every item of a failed flush, and continues', async () => {
    const a = add('a', 'k');
    const b = add('b', 'k');
    flushes[0]?.fail(new Error('no database'));
    await expect(a).rejects.toThrow('no database');
    flushes[1]?.finish();
    expect(await b).toBe('b');
  });

  it('rejects an item if too many wait, or if it has waited too long', async () => {
    const now = jest.spyOn(performance, 'now').mockReturnValue(0);
    const running = add('a', 'k');
    void add('other');
    const waiting = ['b', 'c', 'd', 'e', 'f'].map((id, n) => add(id, n < 3 ? 'k' : 'other'));
    await expect(add('g')).rejects.toThrow('overloaded');
    now.mockReturnValue(1_001);
    const settled = Promise.allSettled(waiting);
    flushes[0]?.finish();
    expect(await running).toBe('a');
    expect((await settled).map(({ status }) => status)).toEqual(Array(5).fill('rejected'));
    expect(flushes).toHaveLength(2);
  });

  it('rejects an item if too many of its key wait, and queues those of other keys', async () => {
    void add('a', 'k');
    const queued = ['b', 'c', 'd'].map((id) => add(id, 'k'));
    await expect(add('e', 'k')).rejects.toThrow('overloaded');
    const other = add('other');
    flushes[0]?.finish();
    flushes[1]?.finish();
    await turn();
    expect(flushed()).toEqual([['a'], ['other'], ['b', 'c', 'd']]);
    queued.push(add('f', 'k'));
    flushes[2]?.finish();
    await turn();
    flushes[3]?.finish();
    expect(await Promise.all([...queued, other])).toEqual(['b', 'c', 'd', 'f', 'other']);
  });
});
