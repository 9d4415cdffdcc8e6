import { type Entry } from './entry';
import { Stream } from './stream';

const entry = (seq: number): Entry => ({ stream: 's', seq, told: [], joins: [], leaves: [] });

describe('Stream', () => {
  let told: number[];
  const streamAfter = (place: number | undefined) => {
    told = [];
    const stream = new Stream('s', 0, ({ seq }) => told.push(seq));
    if (place !== undefined) stream.start(place);
    return stream;
  };

  it('tells each entry once and in order, whatever order they come in', () => {
    const stream = streamAfter(0);
    for (const seq of [2, 1, 3, 2, 5, 1, 4, 5]) stream.take(entry(seq));
    expect(told).toEqual([1, 2, 3, 4, 5]);
    expect(stream.hasGap).toBe(false);
  });

  it('keeps what comes before it is known where it begins', () => {
    const stream = streamAfter(undefined);
    for (const seq of [4, 2, 3]) stream.take(entry(seq));
    expect(told).toEqual([]);
    stream.start(2);
    expect(told).toEqual([3, 4]);
    stream.start(0);
    expect(stream.toldSeq).toBe(4);
  });

  it('goes on past what the database no longer has', () => {
    const stream = streamAfter(0);
    stream.take(entry(6));
    stream.fill([entry(2), entry(5)]);
    expect(told).toEqual([2, 5, 6]);
  });

  it('still knows of what came while the database was read', () => {
    const stream = streamAfter(0);
    stream.expect(1);
    // Read before this was committed.
    stream.take(entry(3));
    stream.fill([]);
    expect(stream.hasGap).toBe(true);
    stream.fill([entry(1), entry(2)]);
    expect(told).toEqual([1, 2, 3]);
  });

  it('expects no more of what the database does not have', () => {
    const stream = streamAfter(4);
    stream.expect(7);
    expect(stream.hasGap).toBe(true);
    stream.fill([]);
    expect(stream.hasGap).toBe(false);
  });

  it('keeps a thousand that came too early, and has room again when these were told or read', () => {
    const stream = streamAfter(0);
    for (let seq = 2; seq <= 1_200; seq += 1) stream.take(entry(seq));
    expect(stream.heldInOrder()).toHaveLength(1_000);
    stream.take(entry(1));
    expect(told).toHaveLength(1_001);
    stream.take(entry(1_500));
    stream.fill([entry(1_600)]);
    expect(stream.heldInOrder()).toEqual([]);
    expect(stream.toldSeq).toBe(1_600);
  });
});
