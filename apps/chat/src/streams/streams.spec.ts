import { createLogger, Registry } from '@waggle/service';
import { Pool } from 'pg';
import { Connections } from '../realtime/connections';
import { RealtimeMetrics } from '../realtime/realtime.metrics';
import { type Bus } from './bus';
import { Cursor } from './cursor';
import { type ChatEvent, type Entry } from './entry';
import { Streams } from './streams';
import { StreamsStore, type Hearing } from './streams.store';
import { Teller } from './teller';

/** What each account was told. */
class ToldTeller extends Teller {
  readonly told: string[] = [];

  override tell({ payload }: ChatEvent, hearers: Iterable<string>) {
    for (const account of hearers) this.told.push(`${account}: ${'content' in payload ? payload.content : ''}`);
  }
}

/** A database whose answers come when the test says so. */
class HeldStore extends StreamsStore {
  lastSeq = 0;
  readonly held: (() => void)[] = [];

  override async findHearings(accounts: readonly string[]): Promise<Hearing[]> {
    const lastSeq = this.lastSeq;
    if (accounts[0] === 'alice') await new Promise<void>((resolve) => this.held.push(resolve));
    return accounts.map((account) => ({ account, stream: 'c', lastSeq, joinedSeq: 0, follows: false }));
  }
}

/** What is subscribed to. */
class TopicsBus implements Bus {
  readonly topics = new Set<string>();

  listen() {
    // Nobody else is there.
  }
  subscribe(topics: readonly string[]) {
    for (const topic of topics) this.topics.add(topic);
  }
  unsubscribe(topics: readonly string[]) {
    for (const topic of topics) this.topics.delete(topic);
  }
  publish() {
    // Nobody else is there.
  }
  close() {
    return Promise.resolve();
  }
}

describe('Streams', () => {
  let store: HeldStore;
  let teller: ToldTeller;
  let bus: TopicsBus;
  let streams: Streams;
  beforeEach(() => {
    store = new HeldStore(new Pool());
    teller = new ToldTeller(new Connections(), new Cursor(), new RealtimeMetrics(new Registry(), new Connections()));
    bus = new TopicsBus();
    streams = new Streams(store, teller, bus, createLogger('test', 'silent'));
  });
  const turn = () => new Promise(setImmediate);
  const message = (seq: number): Entry => ({
    stream: 'c',
    seq,
    message: { id: `m${seq}`, sender: 'zoe', recipient: 'all', content: `${seq}`, sentAt: '' },
  });

  it('goes on telling a stream that somebody had opened who is gone before it was known what they hear', async () => {
    const entering = streams.enter('alice');
    store.held.shift()?.();
    await turn();
    // The stream is open now, and alice's second reading under way; bob hears it for a moment.
    await streams.enter('bob');
    streams.leave('bob');
    streams.leave('alice');
    await streams.enter('carol');
    store.held.shift()?.();
    await entering;
    streams.add(message(1));
    expect(teller.told).toEqual(['carol: 1']);
    expect([...bus.topics]).toEqual(['c']);
    streams.leave('carol');
    expect([...bus.topics]).toEqual([]);
  });
});
