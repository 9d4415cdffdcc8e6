import { type Entry } from '../log/entry';
import { Stream } from './stream';

const entry = (seq: number): Entry => ({ stream: 's', seq, events: [], joins: [], leaves: [], subscriptions: [] });

describe('Stream', () => {
  let delivered: number[];
  const streamAfter = (seq?: number) => {
    delivered = [];
    const stream = new Stream('s', ({ seq: each }) => delivered.push(each));
    if (seq !== undefined) stream.start(seq);
    return stream;
  };

  it('delivers each entry once and in order, regardless of the order of arrival', () => {
    const stream = streamAfter(0);
    for (const seq of [2, 1, 3, 2, 5, 1, 4, 5]) stream.accept(entry(seq));
    expect(delivered).toEqual([1, 2, 3, 4, 5]);
    expect(stream.isBehind).toBe(false);
  });

  it('stores entries that arrive before it starts', () => {
    const stream = streamAfter();
    for (const seq of [4, 2, 3]) stream.accept(entry(seq));
    expect(delivered).toEqual([]);
    stream.start(2);
    expect(delivered).toEqual([3, 4]);
  });

  it('skips entries that the database no longer has', () => {
    const stream = streamAfter(0);
    stream.accept(entry(6));
    stream.catchUp([entry(2), entry(5)], true);
    expect(delivered).toEqual([2, 5, 6]);
  });

  it.each([
    ['arrives', 'accept'],
    ['is known to be committed', 'expect'],
  ])('is still behind if an entry %s while the database is read', (_, how) => {
    const stream = streamAfter(0);
    stream.expect(1);
    stream.beginCatchUp();
    if (how === 'accept') stream.accept(entry(3));
    else stream.expect(3);
    stream.catchUp([], true);
    expect(stream.isBehind).toBe(true);
    stream.beginCatchUp();
    stream.catchUp([entry(1), entry(2), entry(3)], true);
    expect(delivered).toEqual([1, 2, 3]);
    expect(stream.isBehind).toBe(false);
  });

  it('reads until it has all entries of the database, even if own commits arrive meanwhile', () => {
    const stream = streamAfter(0);
    stream.expectMore();
    stream.beginCatchUp();
    for (const seq of [1, 2, 3]) stream.accept(entry(seq));
    stream.catchUp([entry(1), entry(2)], false);
    expect(stream.isBehind).toBe(true);
    stream.beginCatchUp();
    stream.accept(entry(4));
    stream.catchUp([entry(4)], true);
    expect(stream.isBehind).toBe(false);
    expect(delivered).toEqual([1, 2, 3, 4]);
  });

  it('does not wait for entries that the database does not have', () => {
    const stream = streamAfter(4);
    stream.expect(7);
    expect(stream.isBehind).toBe(true);
    stream.beginCatchUp();
    stream.catchUp([], true);
    expect(stream.isBehind).toBe(false);
  });

  it('stores a thousand waiting entries, and more after these are delivered or read', () => {
    const stream = streamAfter(0);
    for (let seq = 2; seq <= 1_200; seq += 1) stream.accept(entry(seq));
    stream.accept(entry(1));
    expect(delivered).toHaveLength(1_001);
    stream.accept(entry(1_500));
    stream.catchUp([entry(1_600)], true);
    expect([delivered.at(-1), stream.deliveredSeq, stream.isBehind]).toEqual([1_600, 1_600, false]);
  });

  it('refuses entries of the database before it starts', () => {
    const stream = streamAfter();
    expect(() => {
      stream.catchUp([entry(1)], true);
    }).toThrow('not started');
  });
});
