import { type ChangeEntry, type Entry, type Position } from '../log/entry';
import { LogStore } from '../log/log.store';
import { FrameRequest } from '../realtime/frame-request';
import { Pool } from 'pg';
import { deliveryOf, fanOutParts, TestBus } from '../../test/delivery-parts';
import { SlowPeer } from '../../test/random-backfill/slow-peer';
import { Cursor } from './cursor';
import { type Delivery } from './delivery';
import { FanOut } from './fan-out';

const message = (seq: number, stream = 'c'): Entry => ({
  stream,
  seq,
  message: { id: `m${seq}`, sender: 'dave', recipient: null, content: `${seq}`, sentAt: '' },
});

const at = (stream: string, seq: number): Position => ({ stream, seq });
const turn = () => new Promise(setImmediate);

/** Records the subscribers to which entries are delivered. */
class NotingFanOut extends FanOut {
  readonly delivered: string[] = [];
  readonly closed: string[] = [];
  /** The replies to requests whose account is not subscribed. */
  readonly replies: string[] = [];
  /** The sequence numbers of the entries by which a backfill replies to requests. */
  readonly backfilledReplies: number[] = [];

  override deliver(entry: Entry, stream: Parameters<FanOut['deliver']>[1]) {
    JSON.stringify(entry);
    for (const account of stream.subscribersAt(entry.seq))
      this.delivered.push(`${account}: ${entry.stream} ${entry.seq}`);
  }

  override startBackfill(_account: string, _range: unknown, replies: Parameters<FanOut['startBackfill']>[2]) {
    this.backfilledReplies.push(...replies.keys());
  }

  override replyToAll(entry: Entry, { account }: FrameRequest) {
    this.replies.push(`${account}: ${entry.seq}`);
  }

  override close(account: string) {
    this.closed.push(account);
  }
}

/** A database in which carol is a member of `c`, and dave is not. */
class MembersStore extends LogStore {
  override findSubscriptions(account: string) {
    return Promise.resolve({ accountSeq: 0, conversations: account === 'carol' ? [{ stream: 'c', seq: 0 }] : [] });
  }

  override findLastSeqs() {
    return Promise.resolve([]);
  }

  override findEntries() {
    return Promise.resolve([]);
  }
}

/** @param resumedUpTo how far its connection has received the stream of its entry when it resumed */
function requestOf(account: string, { resumedUpTo = 0, isOpen = true } = {}): FrameRequest {
  const request: FrameRequest = Object.create(FrameRequest.prototype, {
    account: { value: account },
    connection: { value: { isOpen, resumedUpTo: () => resumedUpTo } },
  });
  return request;
}

describe('Delivery', () => {
  let fanOut: NotingFanOut;
  let delivery: Delivery;
  let bus: TestBus;
  beforeEach(async () => {
    bus = new TestBus();
    const cursor = new Cursor();
    fanOut = new NotingFanOut(...fanOutParts(cursor));
    ({ delivery } = deliveryOf({ store: new MembersStore(new Pool()), fanOut, cursor, bus }));
    await delivery.connect('carol');
    await delivery.connect('dave');
  });
  it('replies to a request whose account has been removed before its subscription was known here', async () => {
    delivery.deliverCommitted([message(1)], requestOf('dave'));
    expect(fanOut.delivered).toEqual(['carol: c 1']);
    await turn();
    expect(fanOut.replies).toEqual(['dave: 1']);
  });

  it('replies to the account of a request whose connection has closed, also after the request is repeated', async () => {
    delivery.deliverCommitted([message(1)], requestOf('dave', { isOpen: false }));
    delivery.repeat(message(1), requestOf('dave'));
    await turn();
    expect(fanOut.replies).toEqual(['dave: 1', 'dave: 1']);
  });

  it('drops a repetition whose connection has closed, when the request is repeated again', async () => {
    delivery.deliverCommitted([message(1)]);
    for (const isOpen of [false, true]) delivery.repeat(message(1), requestOf('dave', { isOpen }));
    await turn();
    expect(fanOut.replies).toEqual(['dave: 1']);
  });

  it('replies once to a subscriber, also if the connection of its request has closed', async () => {
    delivery.deliverCommitted([message(1)], requestOf('carol'));
    await turn();
    expect([fanOut.delivered, fanOut.replies]).toEqual([['carol: c 1'], []]);
  });

  it('sends no reply to an account that is no longer connected', async () => {
    delivery.disconnect('dave');
    delivery.deliverCommitted([message(1)], requestOf('dave'));
    await turn();
    expect(fanOut.replies).toEqual([]);
  });

  // Any client of Redis can send it. Node 20 can parse JSON with such deep nesting, but not serialize it; Node 26 can.
  it('survives an entry that cannot be delivered', () => {
    const payload = `{"content":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const event = `{"type":"chat-message","to":{},"payload":${payload}}`;
    const entry = `{"stream":"c","seq":1,"events":[${event}],"joins":[],"leaves":["carol"],"subscriptions":[]}`;
    bus.receive('c', `{"kind":"entries","timeline":"","entries":[${entry}]}`);
    const delivered = canSerialize(JSON.parse(payload)) ? ['carol: c 1'] : [];
    expect([fanOut.delivered, delivery.streams.size]).toEqual([delivered, 2]);
  });

  it('forgets everything when it is restarted, and lets accounts connect again', async () => {
    delivery.deliverCommitted([message(1)]);
    delivery.restart();
    expect(delivery.streams.size).toBe(0);
    await delivery.connect('carol');
    delivery.deliverCommitted([message(1)]);
    expect(fanOut.delivered).toEqual(['carol: c 1', 'carol: c 1']);
  });
});

/** A database of the test. Reads of the held kinds return, or fail, when the test says so. */
class HeldStore extends LogStore {
  readonly subscriptions = new Map<string, Position[]>();
  readonly ownSeqs = new Map<string, number>();
  readonly entries: Entry[] = [];
  readonly held = new Set<'subscriptions' | 'last seqs' | 'entries' | 'leaves'>();
  private readonly waiting: { kind: string; end: (error?: Error) => void }[] = [];

  override findSubscriptions(account: string) {
    const conversations = this.subscriptions.get(account) ?? [];
    return this.read('subscriptions', { accountSeq: this.ownSeqs.get(account) ?? 0, conversations });
  }

  override findLastSeqs(): Promise<Position[]> {
    return this.read('last seqs', []);
  }

  override findEntries(after: readonly Position[]) {
    const found = after.flatMap(({ stream, seq }) =>
      this.entries.filter((entry) => entry.stream === stream && entry.seq > seq),
    );
    return this.read('entries', found);
  }

  override findLeaves(): Promise<number[]> {
    return this.read('leaves', []);
  }

  /** Ends the reads of a kind that wait. */
  async release(kind: string, error?: Error) {
    this.held.clear();
    const released = this.waiting.filter((each) => each.kind === kind);
    for (const each of released) this.waiting.splice(this.waiting.indexOf(each), 1);
    for (const { end } of released) end(error);
    for (let turns = 0; turns < 5; turns += 1) await turn();
  }

  private read<T>(kind: 'subscriptions' | 'last seqs' | 'entries' | 'leaves', result: T): Promise<T> {
    if (!this.held.has(kind)) return Promise.resolve(result);
    return new Promise((resolve, reject) => {
      const end = (error?: Error) => {
        if (error === undefined) resolve(result);
        else reject(error);
      };
      this.waiting.push({ kind, end });
    });
  }
}

describe('Delivery while the database is slow or fails', () => {
  const failure = new Error('the connection to the database has ended');
  const change = (stream: string, seq: number, changes: Partial<ChangeEntry>): ChangeEntry => ({
    ...{ stream, seq, events: [], joins: [], leaves: [], subscriptions: [] },
    ...changes,
  });
  const outcomeOf = (connected: Promise<number>) =>
    connected.then(
      () => 'connected',
      () => 'failed',
    );

  let store: HeldStore;
  let fanOut: NotingFanOut;
  let delivery: Delivery;
  beforeEach(async () => {
    const cursor = new Cursor();
    store = new HeldStore(new Pool());
    fanOut = new NotingFanOut(...fanOutParts(cursor));
    ({ delivery } = deliveryOf({ store, fanOut, cursor }));
    store.subscriptions.set('bob', [at('c', 12), at('d', 12)]);
    await delivery.connect('bob');
  });

  it('does not subscribe an account that disconnects while leaves are read', async () => {
    await delivery.connect('alice');
    store.held.add('leaves');
    const subscriptions = [
      { conversation: 'c', from: 5 },
      { conversation: 'd', from: 13 },
    ];
    delivery.deliverCommitted([change('alice', 1, { subscriptions })]);
    delivery.disconnect('alice');
    await store.release('leaves');
    await delivery.connect('alice');
    delivery.deliverCommitted([message(13, 'd')]);
    expect(fanOut.delivered).toEqual(['alice: alice 1', 'bob: d 13']);
  });

  it('subscribes an account in a time proportional to its conversations', async () => {
    store.subscriptions.set(
      'alice',
      Array.from({ length: 100_000 }, (_none, n) => at(`many-${n}`, 1)),
    );
    // Of the processor: other processes may keep it busy.
    const before = process.cpuUsage();
    await delivery.connect('alice');
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1e6).toBeLessThan(10);
  });

  it('subscribes an account that reconnects while its many earlier subscriptions are being ended', async () => {
    store.subscriptions.set(
      'alice',
      Array.from({ length: 1_000 }, (_none, n) => at(`many-${n}`, 1)),
    );
    await delivery.connect('alice');
    delivery.disconnect('alice');
    await delivery.connect('alice');
    delivery.deliverCommitted([message(2, 'many-999')]);
    expect(fanOut.delivered).toEqual(['alice: many-999 2']);
  });

  it('counts as delivered to a connection what precedes the subscription of its account, although others receive it later', async () => {
    const { connection } = new SlowPeer(1e6);
    connection.authenticate({ account: 'alice', sessionId: 's', untilMs: Infinity });
    store.subscriptions.set('alice', [at('c', 15)]);
    await delivery.connect('alice');
    expect([delivery.deliveredSeq(connection, 'c'), delivery.deliveredSeq(connection, 'd')]).toEqual([15, 0]);
    for (let seq = 13; seq <= 16; seq += 1) delivery.deliverCommitted([message(seq)]);
    expect(fanOut.delivered.filter((each) => each.startsWith('alice'))).toEqual(['alice: c 16']);
    expect(delivery.deliveredSeq(connection, 'c')).toBe(16);
  });

  it('does not subscribe an account whose connection has failed', async () => {
    store.held.add('leaves');
    store.subscriptions.set('alice', [at('c', 10), at('d', 12)]);
    const outcome = outcomeOf(delivery.connect('alice'));
    await turn();
    await store.release('leaves', failure);
    expect(await outcome).toBe('failed');
    delivery.deliverCommitted([message(13, 'd')]);
    expect(fanOut.delivered).toEqual(['bob: d 13']);
  });

  it('fails to connect an account whose leaves cannot be read, also while something else is read', async () => {
    store.held.add('leaves').add('last seqs');
    store.subscriptions.set('alice', [at('c', 10), at('e', 10)]);
    const outcome = outcomeOf(delivery.connect('alice'));
    await turn();
    await store.release('leaves', failure);
    await store.release('last seqs');
    expect(await outcome).toBe('failed');
  });

  it('closes the streams of an account that fails to connect while leaves are read', async () => {
    store.held.add('leaves').add('last seqs');
    store.subscriptions.set('alice', [at('c', 10), at('e', 10)]);
    const outcome = outcomeOf(delivery.connect('alice'));
    await turn();
    await store.release('last seqs', failure);
    expect(await outcome).toBe('failed');
    await store.release('leaves');
    expect(delivery.streams.ids()).toEqual(['bob', 'c', 'd']);
  });

  it('reads the subscriptions of an account again after a failure, even while its previous connection is open', async () => {
    await delivery.connect('alice');
    store.held.add('leaves');
    delivery.deliverCommitted([change('alice', 1, { subscriptions: [{ conversation: 'c', from: 5 }] })]);
    await store.release('leaves', failure);
    expect(fanOut.closed).toEqual(['alice']);
    store.ownSeqs.set('alice', 1);
    store.subscriptions.set('alice', [at('c', 12)]);
    await delivery.connect('alice');
    delivery.disconnect('alice');
    expect(delivery.isSubscribed('alice', 'c')).toBe(true);
  });

  it('reads them again after the read for the next connection has failed too', async () => {
    await delivery.connect('alice');
    store.held.add('leaves');
    delivery.deliverCommitted([change('alice', 1, { subscriptions: [{ conversation: 'c', from: 5 }] })]);
    await store.release('leaves', failure);
    store.held.add('subscriptions');
    const outcome = outcomeOf(delivery.connect('alice'));
    await turn();
    await store.release('subscriptions', failure);
    expect(await outcome).toBe('failed');
    // The first connection is still closing.
    store.subscriptions.set('alice', [at('c', 12)]);
    expect(await outcomeOf(delivery.connect('alice'))).toBe('connected');
    delivery.disconnect('alice');
    delivery.deliverCommitted([message(13)]);
    expect(fanOut.delivered).toEqual(['alice: alice 1', 'bob: c 13', 'alice: c 13']);
  });

  it('keeps the connections of an account that has reconnected when a read for its former one fails', async () => {
    await delivery.connect('alice');
    store.held.add('leaves');
    delivery.deliverCommitted([change('alice', 1, { subscriptions: [{ conversation: 'c', from: 5 }] })]);
    delivery.disconnect('alice');
    store.ownSeqs.set('alice', 1);
    store.subscriptions.set('alice', [at('c', 12)]);
    await delivery.connect('alice');
    await store.release('leaves', failure);
    expect(fanOut.closed).toEqual([]);
  });

  it('delivers no old entries to an account that connects while a request of its former connection is committed', async () => {
    store.entries.push(change('alice', 1, { subscriptions: [{ conversation: 'e', from: 1 }] }), message(1, 'e'));
    store.ownSeqs.set('alice', 1);
    store.subscriptions.set('alice', [at('e', 1)]);
    store.held.add('subscriptions');
    const connected = delivery.connect('alice');
    delivery.deliverCommitted([message(13)], requestOf('alice'));
    await turn();
    await store.release('subscriptions');
    await connected;
    await delivery.streams.fill(delivery.streams.missing());
    expect(fanOut.delivered).toEqual(['bob: c 13']);
  });

  it('closes the connections of an account to which it cannot reply', async () => {
    await delivery.connect('alice');
    store.held.add('entries');
    delivery.deliverCommitted([message(1, 'e')], requestOf('alice'));
    await turn();
    await store.release('entries', failure);
    expect([fanOut.replies, fanOut.closed]).toEqual([[], ['alice']]);
  });

  it.each([
    ['after the catch-up, if its connection has received the entry when it resumed', 10, [['alice: 10'], []]],
    ['with the backfill, if it has not', 9, [[], [10]]],
  ])('replies to a request of an account that has joined elsewhere %s', async (_when, resumedUpTo, replies) => {
    await delivery.connect('alice');
    store.entries.push(change('alice', 1, { subscriptions: [{ conversation: 'c', from: 5 }] }));
    delivery.deliverCommitted([message(10)], requestOf('alice', { resumedUpTo }));
    for (let turns = 0; turns < 5; turns += 1) await turn();
    expect(delivery.isSubscribed('alice', 'c')).toBe(true);
    expect([fanOut.replies, fanOut.backfilledReplies]).toEqual(replies);
  });

  it('leaves the entries of own commits to their requests, which they reply to', async () => {
    let commit: () => void = () => undefined;
    const committed = new Promise<void>((resolve) => (commit = resolve));
    void delivery.track(
      committed.then(() => {
        delivery.deliverCommitted([message(13)], requestOf('bob'));
      }),
    );
    store.entries.push(message(13));
    delivery.streams.expect([at('c', 13)]);
    const filled = delivery.streams.fill(delivery.streams.missing());
    await turn();
    expect(fanOut.delivered).toEqual([]);
    commit();
    await filled;
    expect(fanOut.delivered).toEqual(['bob: c 13']);
  });

  it('closes a stream if its last subscriber leaves by an entry that is read from the database', async () => {
    store.entries.push(change('d', 13, { leaves: ['bob'] }));
    delivery.streams.expect([at('d', 13)]);
    await delivery.streams.fill(delivery.streams.missing());
    expect(delivery.streams.ids()).toEqual(['bob', 'c']);
  });
});

function canSerialize(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
}
