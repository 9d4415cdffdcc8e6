import { type Entry } from '../log/entry';
import { LogStore } from '../log/log.store';
import { FrameRequest } from '../realtime/frame-request';
import { Pool } from 'pg';
import { deliveryOf, fanOutParts } from '../../test/delivery-parts';
import { NoBus } from './bus';
import { Cursor } from './cursor';
import { type Delivery } from './delivery';
import { FanOut } from './fan-out';

const message = (seq: number): Entry => ({
  stream: 'c',
  seq,
  message: { id: `m${seq}`, sender: 'dave', recipient: null, content: `${seq}`, sentAt: '' },
});

/** Notes to which subscribers entries are delivered, and what is replied. */
class NotingFanOut extends FanOut {
  readonly delivered: string[] = [];
  readonly replies: string[] = [];

  override deliver(entry: Entry, stream: Parameters<FanOut['deliver']>[1]) {
    JSON.stringify(entry);
    for (const account of stream.subscribersAt(entry.seq))
      this.delivered.push(`${account}: ${entry.stream} ${entry.seq}`);
  }

  override replyToAll(entry: Entry, { caller }: FrameRequest) {
    this.replies.push(`${caller.account}: ${entry.seq}`);
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

/** A bus that brings what the test says that another instance has published. */
class TestBus extends NoBus {
  bring: (topic: string, text: string) => void = () => undefined;

  override listen(listener?: (topic: string, text: string) => void) {
    if (listener !== undefined) this.bring = listener;
  }
}

function requestOf(account: string): FrameRequest {
  const request: FrameRequest = Object.create(FrameRequest.prototype, { caller: { value: { account } } });
  return request;
}

describe('Delivery', () => {
  let fanOut: NotingFanOut;
  let delivery: Delivery;
  const bus = new TestBus();
  beforeEach(async () => {
    const cursor = new Cursor();
    fanOut = new NotingFanOut(...fanOutParts(cursor));
    ({ delivery } = deliveryOf(new MembersStore(new Pool()), fanOut, cursor, bus));
    await delivery.connect('carol');
    await delivery.connect('dave');
  });
  const turn = () => new Promise(setImmediate);

  it('replies to a request whose account has been removed before its subscription was known here', async () => {
    delivery.add([message(1)], requestOf('dave'));
    expect(fanOut.delivered).toEqual(['carol: c 1']);
    await turn();
    expect(fanOut.replies).toEqual(['dave: 1']);
  });

  it('replies once to a subscriber, also if the connection of its request has closed', async () => {
    delivery.add([message(1)], requestOf('carol'));
    await turn();
    expect([fanOut.delivered, fanOut.replies]).toEqual([['carol: c 1'], []]);
  });

  it('replies to nobody for an account that is not connected any more', async () => {
    delivery.disconnect('dave');
    delivery.add([message(1)], requestOf('dave'));
    await turn();
    expect(fanOut.replies).toEqual([]);
  });

  // Anybody who can write to Redis can send it. Node 20 parses JSON that is nested so deeply, and cannot write it.
  it('survives an entry that cannot be delivered', () => {
    const payload = `{"content":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const event = `{"type":"chat-message","to":{},"payload":${payload}}`;
    const entry = `{"stream":"c","seq":1,"events":[${event}],"joins":[],"leaves":["carol"],"subscriptions":[]}`;
    bus.bring('c', `{"kind":"entries","timeline":"","entries":[${entry}]}`);
    expect([fanOut.delivered, delivery.openStreams]).toEqual([[], 2]);
  });

  it('forgets everything when it is restarted, and lets accounts connect again', async () => {
    delivery.add([message(1)]);
    delivery.restart();
    expect(delivery.openStreams).toBe(0);
    await delivery.connect('carol');
    delivery.add([message(1)]);
    expect(fanOut.delivered).toEqual(['carol: c 1', 'carol: c 1']);
  });
});
