import { until } from '@waggle/testing';
import { Pool } from 'pg';
import { deliveryOf } from '../../test/support/delivery-parts';
import { type Entry, eventsOf, type Position } from '../log/entry';
import { commitRetentionMs, LogStore } from '../log/log.store';
import { FanOut } from './fan-out';

/** Records what is delivered. */
class NotingFanOut extends FanOut {
  readonly delivered: string[] = [];

  override deliver(entry: Entry) {
    for (const { payload } of eventsOf(entry)) if ('content' in payload) this.delivered.push(payload.content);
  }
}

/** A database with two entries of the conversation `remaining`, whose reads return when the test says so. */
class SlowStore extends LogStore {
  readonly reads: (() => void)[] = [];

  override findSubscriptions() {
    const conversations = ['lost', 'missing', 'gone', 'remaining'].map((stream) => ({ stream, seq: 0 }));
    return Promise.resolve({ accountSeq: 0, conversations });
  }

  override findLastSeqs() {
    return Promise.resolve([]);
  }

  override async findEntries(after: readonly Position[]) {
    await new Promise<void>((resolve) => this.reads.push(resolve));
    const remaining = after.find(({ stream }) => stream === 'remaining');
    return [1, 2].filter((seq) => seq > (remaining?.seq ?? 2)).map((seq) => message('remaining', seq));
  }
}

const message = (stream: string, seq: number): Entry => ({
  stream,
  seq,
  message: { id: `m${seq}`, sender: 'zoe', recipient: 'all', content: `${stream} ${seq}`, sentAt: '' },
});

function partsOf<Store extends LogStore>(store: Store) {
  const parts = deliveryOf(store, { fanOutClass: NotingFanOut });
  return { ...parts, store };
}

describe('CommitPoll', () => {
  let parts: ReturnType<typeof partsOf<SlowStore>>;
  beforeEach(async () => {
    parts = partsOf(new SlowStore(new Pool()));
    await parts.delivery.connect('carol');
  });
  afterEach(() => {
    jest.useRealTimers();
    parts.commitPoll.onModuleDestroy();
  });

  it('catches up with an entry that appears while another read finds nothing', async () => {
    const { store, delivery, fanOut } = parts;
    delivery.deliverCommitted([message('lost', 2)]);
    await until(() => store.reads.length === 1);
    delivery.deliverCommitted([message('remaining', 2)]);
    store.reads[0]?.();
    await until(() => store.reads.length === 2);
    store.reads[1]?.();
    await until(() => store.reads.length === 3);
    expect(fanOut.delivered).toEqual(['remaining 1', 'remaining 2']);
    store.reads[2]?.();
  });

  it('reads once what appears while a slow database is read, however often that is', async () => {
    jest.useFakeTimers();
    for (const stream of ['lost', 'missing', 'gone']) {
      parts.delivery.deliverCommitted([message(stream, 2)]);
      await jest.advanceTimersByTimeAsync(100);
    }
    for (const finish of parts.store.reads) {
      finish();
      await jest.advanceTimersByTimeAsync(100);
    }
    expect(parts.store.reads).toHaveLength(2);
  });

  it('reads nothing once the instance ends, because its connections to the database are being closed', async () => {
    jest.useFakeTimers();
    parts.commitPoll.onModuleDestroy();
    parts.delivery.deliverCommitted([message('lost', 2)]);
    await jest.advanceTimersByTimeAsync(100);
    expect(parts.store.reads).toEqual([]);
  });
});

/** A database whose commit log does not reach back: alice was removed from the conversation. */
class LaterStore extends LogStore {
  readonly now = new Date(Date.now() + commitRetentionMs);
  /** The entries are not visible yet. */
  isLate = false;
  readonly reads: string[] = [];

  override findCompleteUntil() {
    this.reads.push('complete until');
    return Promise.resolve(this.now);
  }

  override findSubscriptions() {
    return Promise.resolve({ accountSeq: 0, conversations: [{ stream: 'conversation', seq: 0 }] });
  }

  override findLastSeqs(streams: readonly string[]) {
    this.reads.push('last seqs');
    return Promise.resolve(streams.map((stream) => ({ stream, seq: stream === 'conversation' ? 2 : 0 })));
  }

  override findEntries(after: readonly Position[]): Promise<Entry[]> {
    const removal = { stream: 'conversation', seq: 2, events: [], joins: [], leaves: ['alice'], subscriptions: [] };
    const entries = this.isLate ? [] : [message('conversation', 1), removal];
    return Promise.resolve(
      after.flatMap(({ stream, seq }) => entries.filter((entry) => entry.stream === stream && entry.seq > seq)),
    );
  }
}

describe('CommitPoll after a pause', () => {
  let parts: ReturnType<typeof partsOf<LaterStore>>;
  beforeEach(async () => {
    parts = partsOf(new LaterStore(new Pool()));
    await parts.delivery.connect('alice');
  });
  afterEach(() => {
    parts.commitPoll.onModuleDestroy();
  });

  it('delivers what was committed before the commit log begins', async () => {
    const { store, delivery, cursor, commitPoll, fanOut } = parts;
    await commitPoll.poll();
    expect(cursor.reached.getTime()).toBe(store.now.getTime());
    expect(fanOut.delivered).toEqual(['conversation 1']);
    expect(delivery.isSubscribed('alice', 'conversation')).toBe(false);
  });

  it('advances the cursor to an instant that is read before the commits, once these are delivered', async () => {
    const { store, cursor, commitPoll } = parts;
    const { reached } = cursor;
    store.reads.length = 0;
    store.isLate = true;
    await commitPoll.poll();
    expect(store.reads).toEqual(['complete until', 'last seqs']);
    expect(cursor.reached).toBe(reached);
    store.isLate = false;
    await commitPoll.poll();
    expect(cursor.reached).toBe(store.now);
  });
});
