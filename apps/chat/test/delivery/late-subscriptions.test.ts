import { setImmediate as turn } from 'node:timers/promises';
import { Pool } from 'pg';
import { FanOut } from '../../src/delivery/fan-out';
import { type ChangeEntry, type Entry, type EntryRange, type Position, type SeqRange } from '../../src/log/entry';
import { LogStore } from '../../src/log/log.store';
import { CatchUpStore } from '../../src/log/catch-up.store';
import { deliveryOf, requestOn } from '../support/delivery-parts';
import { SlowPeer } from '../support/slow-peer';

const message = (seq: number): Entry => ({
  stream: 'c',
  seq,
  message: { id: `m${seq}`, sender: 'reader', recipient: null, content: `${seq}`, sentAt: '2026-01-01T00:00:00.000Z' },
});
const change = (stream: string, seq: number, changes: Partial<ChangeEntry>): ChangeEntry => ({
  ...{ stream, seq, events: [], joins: [], leaves: [], subscriptions: [] },
  ...changes,
});
const subscription = (seq: number, from: number) =>
  change('reader', seq, { subscriptions: [{ conversation: 'c', from }] });

/** The entries of a conversation in which another account is, and of the reader's own stream. */
class MemoryLog extends LogStore {
  readonly entries: Entry[] = [];
  ranges: EntryRange[] = [{ stream: 'c', from: 1, to: Infinity, hasLeft: false }];

  of({ stream, from, to }: SeqRange): Entry[] {
    return this.entries.filter((entry) => entry.stream === stream && entry.seq >= from && entry.seq <= to);
  }

  override findSubscriptions(account: string) {
    return Promise.resolve({ accountSeq: 0, conversations: account === 'zoe' ? [{ stream: 'c', seq: 0 }] : [] });
  }

  override findLastSeqs() {
    return Promise.resolve([]);
  }

  override findEntries(after: readonly Position[]) {
    return Promise.resolve(after.flatMap(({ stream, seq }) => this.of({ stream, from: seq + 1, to: Infinity })));
  }

  override findSubscribed(_account: string, wanted: readonly Position[]) {
    const last = Math.max(0, ...this.of({ stream: 'c', from: 1, to: Infinity }).map(({ seq }) => seq));
    return Promise.resolve(
      wanted.flatMap(({ stream, seq }) =>
        this.ranges
          .filter((range) => range.stream === stream)
          .map((range) => ({ ...range, from: Math.max(seq, range.from), to: Math.min(last, range.to) }))
          .filter(({ from, to }) => from <= to),
      ),
    );
  }
}

/** The reader missed the first four entries. */
class EntriesSince extends CatchUpStore {
  constructor(private readonly log: MemoryLog) {
    super(new Pool());
  }

  override findAcknowledged() {
    return Promise.resolve([]);
  }

  override findSince() {
    return Promise.resolve({ ranges: [{ stream: 'c', from: 1, to: 4, hasLeft: false }], entries: 4 });
  }

  override findReceipts() {
    return Promise.resolve([]);
  }

  override findPage(ranges: readonly SeqRange[]) {
    return Promise.resolve(ranges.flatMap((range) => this.log.of(range)));
  }
}

describe('a subscription that starts with entries already delivered to others', () => {
  let log: MemoryLog;
  let peer: SlowPeer;
  let parts: ReturnType<typeof deliveryOf<FanOut>>;
  beforeEach(async () => {
    log = new MemoryLog(new Pool());
    parts = deliveryOf(log, { catchUpStore: new EntriesSince(log), fanOutClass: FanOut });
    parts.cursor.advance(new Date(Date.now() - 1_000), '');
    peer = new SlowPeer(1e6);
    await parts.delivery.connect('zoe');
    await parts.delivery.connect('reader');
    parts.connections.add(peer.connection);
    parts.connections.authenticate(peer.connection, { account: 'reader', sessionId: 's', untilMs: Infinity });
  });
  afterEach(() => {
    parts.commitPoll.onModuleDestroy();
    peer.end();
  });

  const deliver = (...entries: Entry[]) => {
    log.entries.push(...entries);
    parts.delivery.deliverCommitted(entries);
  };
  const request = (ref: string) => requestOn(peer.connection, 'chat-message', ref);
  const resume = () =>
    parts.resumption.resume(requestOn(peer.connection, 'authenticate', undefined), 'reader', parts.cursor.value);
  const received = async () => {
    for (let turns = 0; turns < 40; turns += 1) {
      await turn();
      peer.read();
    }
    return peer.frames().flatMap(({ seq }) => seq ?? []);
  };
  const refs = () => peer.frames().map(({ ref }) => ref);

  it('skips entries that the connection received when it resumed', async () => {
    deliver(...[1, 2, 3, 4].map(message));
    // Committed, but not delivered here yet.
    log.entries.push(subscription(1, 1));
    const resumed = resume();
    await received();
    await resumed;
    deliver(message(5));
    parts.delivery.deliverCommitted([subscription(1, 1)]);
    expect(await received()).toEqual([1, 2, 3, 4, 5]);
  });

  it('is not overtaken by the reply to a request of a connection that resumes', async () => {
    deliver(...[1, 2, 3, 4].map(message), subscription(1, 1));
    const resumed = resume();
    log.entries.push(message(5));
    parts.delivery.deliverCommitted([message(5)], [request('request')]);
    expect(await received()).toEqual([1, 2, 3, 4, 5]);
    await resumed;
    expect(peer.frames().find(({ seq }) => seq === 5)?.ref).toBe('request');
  });

  it('is not shortened by the reply to a repetition on a connection that resumes', async () => {
    deliver(...[1, 2, 3, 4].map(message), subscription(1, 1));
    await received();
    const resumed = resume();
    parts.delivery.replyWithStored(message(1), request('request'));
    expect((await received()).slice(4)).toEqual([1, 1, 2, 3, 4]);
    await resumed;
  });

  it('delivers entries in order, together with a reply that becomes due meanwhile', async () => {
    deliver(...[1, 2, 3, 4].map(message), subscription(1, 1));
    log.entries.push(message(5));
    parts.delivery.deliverCommitted([message(5)], [request('request')]);
    expect(await received()).toEqual([1, 2, 3, 4, 5]);
    expect(refs()).toEqual([undefined, undefined, undefined, undefined, 'request']);
  });

  it('delivers an entry again for each further request of the connection that it replies to', async () => {
    deliver(...[1, 2, 3].map(message), subscription(1, 1));
    for (const [seq, ref] of [2, 2, 3, 3].entries()) parts.delivery.replyWithStored(message(ref), request(`${seq}`));
    expect(await received()).toEqual([1, 2, 2, 3, 3]);
    expect(refs()).toEqual([undefined, '0', '1', '2', '3']);
  });

  it('delivers an entry of several events once to a request', async () => {
    const events = ['one', 'two'].map((id) => ({
      type: 'conversation-removed' as const,
      payload: { id },
      to: ['reader'],
    }));
    deliver(message(1), subscription(1, 1));
    const entry = change('c', 2, { events });
    log.entries.push(entry);
    parts.delivery.deliverCommitted([entry], [request('request')]);
    expect(await received()).toEqual([1, 2, 2]);
    expect(refs()).toEqual([undefined, 'request', 'request']);
  });

  it('ends with the entry by which the account leaves, and begins again if it follows again', async () => {
    log.ranges = [
      { stream: 'c', from: 1, to: 3, hasLeft: true },
      { stream: 'c', from: 5, to: Infinity, hasLeft: false },
    ];
    deliver(message(1), message(2), change('c', 3, { leaves: ['reader'] }), message(4));
    deliver(subscription(1, 1), subscription(2, 5));
    deliver(message(5), message(6));
    expect(await received()).toEqual([1, 2, 5, 6]);
  });
});
