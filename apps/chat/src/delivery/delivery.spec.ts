import { type Entry, type Position } from '../log/entry';
import { CatchUpStore } from '../log/catch-up.store';
import { LogStore } from '../log/log.store';
import { FrameRequest } from '../realtime/frame-request';
import { Pool } from 'pg';
import { deliveryOf, TestBus } from '../../test/support/delivery-parts';
import { SlowPeer } from '../../test/support/slow-peer';
import { type CatchUp } from './catch-up';
import { type Delivery } from './delivery';
import { FanOut } from './fan-out';
import { type PendingReplies, type PendingReply } from './pending-replies';

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
  readonly replied: string[] = [];

  override deliver(entry: Entry, stream: Parameters<FanOut['deliver']>[1]) {
    JSON.stringify(entry);
    for (const account of stream.subscribers.at(entry.seq))
      this.delivered.push(`${account}: ${entry.stream} ${entry.seq}`);
  }

  override reply() {
    // Of subscribers, whose connections are not here.
  }

  override replyToAll({ entry, request }: PendingReply) {
    this.replied.push(`${request.account}: ${entry.seq}`);
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

function requestOf(account: string, connection = { isOpen: true }): FrameRequest {
  const request: FrameRequest = Object.create(FrameRequest.prototype, {
    account: { value: account },
    connection: { value: connection },
  });
  return request;
}

describe('Delivery', () => {
  let fanOut: NotingFanOut;
  let delivery: Delivery;
  let bus: TestBus;
  let catchUp: CatchUp;
  let pending: PendingReplies;
  beforeEach(async () => {
    bus = new TestBus();
    ({ delivery, fanOut, catchUp, pending } = deliveryOf(new MembersStore(new Pool()), {
      bus,
      fanOutClass: NotingFanOut,
    }));
    await delivery.connect('carol');
    await delivery.connect('dave');
  });
  it('replies to a request whose account has been removed before its subscription was known here', async () => {
    delivery.deliverCommitted([message(1)], [requestOf('dave')]);
    expect(fanOut.delivered).toEqual(['carol: c 1']);
    await turn();
    expect(fanOut.replied).toEqual(['dave: 1']);
  });

  it('replies to the account of a request whose connection has closed, also after the request is repeated', async () => {
    delivery.deliverCommitted([message(1)], [requestOf('dave', { isOpen: false })]);
    delivery.replyWithStored(message(1), requestOf('dave'));
    await turn();
    expect(fanOut.replied).toEqual(['dave: 1', 'dave: 1']);
  });

  it('replies once to a subscriber, also if the connection of its request has closed', async () => {
    delivery.deliverCommitted([message(1)], [requestOf('carol')]);
    await turn();
    expect([fanOut.delivered, fanOut.replied]).toEqual([['carol: c 1'], []]);
  });

  it('forgets the request of a connection that closes while it is behind', async () => {
    const { connection } = new SlowPeer(1e6);
    connection.authenticate({ account: 'carol', sessionId: 's', untilMs: Infinity });
    const request = requestOf('carol', connection);
    // Another connection stays open.
    await delivery.connect('carol');
    catchUp.fallBehind(connection, at('c', 1));
    delivery.deliverCommitted([message(1)], [request]);
    expect(pending.ofConnection(connection)).toHaveLength(1);
    connection.close('unavailable');
    delivery.disconnect('carol', connection);
    await turn();
    expect(pending.ofConnection(connection)).toEqual([]);
  });

  it('sends no reply to an account that is no longer connected', async () => {
    delivery.disconnect('dave');
    delivery.deliverCommitted([message(1)], [requestOf('dave')]);
    await turn();
    expect(fanOut.replied).toEqual([]);
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

/** A database of the test, in which reads of one kind may fail. */
class FailingStore extends MembersStore {
  readonly subscriptions = new Map<string, Position[]>();
  failing: 'entries' | 'memberships' | undefined;

  override findSubscriptions(account: string) {
    return Promise.resolve({ accountSeq: 0, conversations: this.subscriptions.get(account) ?? [] });
  }

  override findEntries() {
    return this.read('entries');
  }

  override findSubscribed() {
    return this.read('memberships');
  }

  private read(kind: FailingStore['failing']): Promise<never[]> {
    return this.failing === kind ? Promise.reject(new Error('the connection has ended')) : Promise.resolve([]);
  }
}

describe('Delivery over a database that is large or fails', () => {
  let store: FailingStore;
  let fanOut: NotingFanOut;
  let delivery: Delivery;
  beforeEach(async () => {
    store = new FailingStore(new Pool());
    ({ delivery, fanOut } = deliveryOf(store, { fanOutClass: NotingFanOut }));
    store.subscriptions.set('bob', [at('c', 12), at('d', 12)]);
    await delivery.connect('bob');
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
    expect([delivery.receivedSeq(connection, 'c'), delivery.receivedSeq(connection, 'd')]).toEqual([15, 0]);
    for (let seq = 13; seq <= 16; seq += 1) delivery.deliverCommitted([message(seq)]);
    expect(fanOut.delivered.filter((each) => each.startsWith('alice'))).toEqual(['alice: c 16']);
    expect(delivery.receivedSeq(connection, 'c')).toBe(16);
  });

  it('closes the connections of an account whose memberships cannot be read, and does not subscribe it', async () => {
    store.failing = 'memberships';
    store.subscriptions.set('alice', [at('c', 10), at('d', 12)]);
    await delivery.connect('alice').catch(() => undefined);
    await turn();
    expect(fanOut.closed).toEqual(['alice']);
    delivery.deliverCommitted([message(13, 'd')]);
    expect(fanOut.delivered).toEqual(['bob: d 13']);
  });

  it('closes the connections of an account to which it cannot reply', async () => {
    await delivery.connect('alice');
    store.failing = 'entries';
    delivery.deliverCommitted([message(1, 'e')], [requestOf('alice')]);
    await turn();
    expect([fanOut.replied, fanOut.closed]).toEqual([[], ['alice']]);
  });
});

/** Its pages are read when the test says so. */
class HeldPages extends CatchUpStore {
  private onRead: (() => void) | undefined;
  private release: ((page: Entry[]) => void) | undefined;
  readonly begun = new Promise<void>((resolve) => (this.onRead = resolve));

  override findPage() {
    this.onRead?.();
    return new Promise<Entry[]>((resolve) => (this.release = resolve));
  }

  end(page: Entry[]) {
    this.release?.(page);
  }
}

/** A database in which carol may receive the first entry of `c`. */
class SubscribedStore extends MembersStore {
  override findSubscribed() {
    return Promise.resolve([{ stream: 'c', from: 1, to: 1, hasLeft: false }]);
  }
}

it.each([
  ['is written', false, ['chat-message']],
  ['is not written if a resume has begun, which reads it in order', true, []],
])('a page of what a connection has not received %s', async (_does, isResuming, types) => {
  const pages = new HeldPages(new Pool());
  const { delivery, catchUp } = deliveryOf(new SubscribedStore(new Pool()), {
    catchUpStore: pages,
    fanOutClass: NotingFanOut,
  });
  await delivery.connect('carol');
  delivery.deliverCommitted([message(1)]);
  const peer = new SlowPeer(1e6);
  peer.read();
  peer.connection.authenticate({ account: 'carol', sessionId: 's', untilMs: Infinity });
  catchUp.fallBehind(peer.connection, at('c', 1));
  await pages.begun;
  if (isResuming) catchUp.beginResume(peer.connection, '');
  pages.end([message(1)]);
  for (let turns = 0; turns < 10; turns += 1) {
    await turn();
    peer.read();
  }
  expect(peer.frames().map(({ type }) => type)).toEqual(types);
});

function canSerialize(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
}
