import { Pool } from 'pg';
import { TestBus } from '../../test/support/delivery-parts';
import { type Entry, type Position } from '../log/entry';
import { LogStore } from '../log/log.store';
import { Cursor } from './cursor';
import { OpenStreams } from './open-streams';
import { Peers } from './peers';

const entry = (stream: string, seq: number): Entry => ({
  stream,
  seq,
  events: [],
  joins: [],
  leaves: [],
  subscriptions: [],
});

/** A database that has three entries in each stream, and calls `duringRead` while it is read. */
class ThreeEntriesStore extends LogStore {
  duringRead = () => {};

  override findEntries(after: readonly Position[]): Promise<Entry[]> {
    this.duringRead();
    return Promise.resolve(
      after.flatMap(({ stream, seq }) => [1, 2, 3].filter((each) => each > seq).map((each) => entry(stream, each))),
    );
  }
}

describe('OpenStreams', () => {
  let store: ThreeEntriesStore;
  let streams: OpenStreams;
  let delivered: string[];
  beforeEach(() => {
    store = new ThreeEntriesStore(new Pool());
    streams = new OpenStreams(new Peers(new TestBus(), new Cursor()), store);
    delivered = [];
    streams.on('entry', ({ stream, seq }) => delivered.push(`${stream} ${seq}`));
  });

  function openBehind(id: string, seq: number) {
    const stream = streams.open(id);
    stream.start(seq);
    streams.expect([{ stream: id, seq: 3 }]);
    return stream;
  }

  it('delivers what the database holds of the streams that are behind', async () => {
    openBehind('a', 1);
    openBehind('b', 2);
    expect(await streams.catchUp()).toBe(3);
    expect(delivered).toEqual(['a 2', 'a 3', 'b 3']);
    expect(streams.isBehind).toBe(false);
  });

  describe('if a stream is closed and opened again before its turn comes', () => {
    let last: string;
    beforeEach(() => {
      // One statement reads at most 50 streams.
      for (let i = 0; i <= 50; i += 1) openBehind(`${i}`, 2);
      last = '50';
    });

    const reopenDuringFirstRead = (start?: number) => {
      store.duringRead = () => {
        store.duringRead = () => {};
        const stream = streams.find(last);
        if (stream !== undefined) streams.closeUnused(stream);
        const reopened = streams.open(last);
        if (start !== undefined) reopened.start(start);
      };
    };

    it('reads it from its new start on', async () => {
      reopenDuringFirstRead(0);
      await streams.catchUp();
      expect(delivered.filter((each) => each.startsWith(`${last} `))).toEqual(['50 1', '50 2', '50 3']);
    });

    it('delivers nothing of it before it starts', async () => {
      reopenDuringFirstRead();
      await streams.catchUp();
      streams.find(last)?.start(2);
      await streams.readToEnd(last);
      expect(delivered.filter((each) => each.startsWith(`${last} `))).toEqual(['50 3']);
    });
  });
});
