import { setImmediate as turn } from 'node:timers/promises';
import { Pool } from 'pg';
import { deliveryOf, requestOn, TestBus } from '../../test/support/delivery-parts';
import { SlowPeer } from '../../test/support/slow-peer';
import { CatchUpStore } from '../log/catch-up.store';
import { type Entry, type Position, type SeqRange } from '../log/entry';
import { LogStore } from '../log/log.store';
import { FanOut } from './fan-out';

const message = (seq: number): Entry => ({
  stream: 'c',
  seq,
  message: { id: `m${seq}`, sender: 'dave', recipient: null, content: `${seq}`, sentAt: '' },
});

/** A database in which every account is a member of `c`, which has two messages. */
class TwoMessages extends LogStore {
  override findSubscriptions() {
    return Promise.resolve({ accountSeq: 0, conversations: [{ stream: 'c', seq: 0 }] });
  }

  override findLastSeqs() {
    return Promise.resolve([]);
  }

  override findEntries() {
    return Promise.resolve([]);
  }

  override findSubscribed(_account: string, wanted: readonly Position[]) {
    return Promise.resolve(
      wanted.flatMap(({ stream, seq }) => (stream === 'c' ? [{ stream, from: seq, to: 2, hasLeft: false }] : [])),
    );
  }
}

class PagesOfTwoMessages extends CatchUpStore {
  override findPage(ranges: readonly SeqRange[]) {
    return Promise.resolve(
      [1, 2].filter((seq) => ranges.some(({ from, to }) => from <= seq && seq <= to)).map(message),
    );
  }
}

describe('FanOut', () => {
  let bus: TestBus;
  let peer: SlowPeer;
  let parts: ReturnType<typeof deliveryOf<FanOut>>;
  beforeEach(async () => {
    bus = new TestBus();
    const stores = { log: new TwoMessages(new Pool()), catchUpStore: new PagesOfTwoMessages(new Pool()) };
    parts = deliveryOf(stores.log, { catchUpStore: stores.catchUpStore, bus, fanOutClass: FanOut });
    await parts.delivery.connect('alice');
    await parts.delivery.connect('bob');
    peer = new SlowPeer(1e6);
    parts.connections.add(peer.connection);
    authenticate('alice');
  });
  afterEach(() => {
    peer.end();
  });

  const authenticate = (account: string) => {
    parts.connections.authenticate(peer.connection, { account, sessionId: 's', untilMs: Infinity });
  };
  /** The frames, at least as many as expected, and any that follow at once. */
  const received = async (expected: number) => {
    for (let turnsLeft = 10; turnsLeft > 0; turnsLeft -= peer.frames().length < expected ? 0 : 1) {
      await turn();
      peer.read();
    }
    return peer.frames().map(({ type, seq, ref }) => [type, seq, ref]);
  };

  it('replies to the account of a connection although a request of its former account is pending', async () => {
    // The second message waits for the first one.
    parts.delivery.deliverCommitted([message(2)], [requestOn(peer.connection, 'chat-message', 'of alice')]);
    authenticate('bob');
    parts.delivery.replyWithStored(message(2), requestOn(peer.connection, 'chat-message', 'of bob'));
    parts.delivery.deliverCommitted([message(1)]);
    expect(await received(2)).toEqual([
      ['chat-message', 1, undefined],
      ['chat-message', 2, 'of bob'],
    ]);
  });

  it('does not reply to a request of a former account when the connection catches up', async () => {
    parts.delivery.deliverCommitted([message(2)], [requestOn(peer.connection, 'chat-message', 'of alice')]);
    authenticate('bob');
    parts.catchUp.fallBehind(peer.connection, { stream: 'c', seq: 1 });
    parts.delivery.deliverCommitted([message(1)]);
    expect(await received(2)).toEqual([
      ['chat-message', 1, undefined],
      ['chat-message', 2, undefined],
    ]);
  });

  // Any client of Redis can send it. Node 20 can parse JSON with such deep nesting, but not serialize it; Node 26 can.
  it('delivers an entry from the database if another instance publishes one that cannot be serialized', async () => {
    const content = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const event = `{"type":"chat-message","to":{},"payload":{"content":${content}}}`;
    const entry = `{"stream":"c","seq":1,"events":[${event}],"joins":[],"leaves":[],"subscriptions":[]}`;
    bus.receive('c', `{"kind":"entries","timeline":"","entries":[${entry}]}`);
    parts.delivery.deliverCommitted([message(2)]);
    expect((await received(2)).map(([, seq]) => seq)).toEqual([1, 2]);
  });

  it('writes an event of another instance after the entry that it follows', async () => {
    parts.delivery.deliverCommitted([message(1), message(2)]);
    parts.catchUp.fallBehind(peer.connection, { stream: 'c', seq: 1 });
    const other = deliveryOf(new TwoMessages(new Pool()), { bus: new TestBus(bus), fanOutClass: FanOut });
    const event = { type: 'acknowledged' as const, payload: { conversation_id: 'c' }, to: ['alice'] };
    other.delivery.broadcast('alice', event, undefined, 2);
    const types = (await received(5)).map(([type]) => type);
    expect(types.slice(2)).toEqual(['chat-message', 'chat-message', 'acknowledged']);
  });
});
