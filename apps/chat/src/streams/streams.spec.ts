import { createLogger, Registry } from '@waggle/service';
import { Pool } from 'pg';
import { Connections } from '../realtime/connections';
import { RealtimeMetrics } from '../realtime/realtime.metrics';
import { FrameRequest } from '../realtime/frame-request';
import { type Bus } from './bus';
import { Cursor } from './cursor';
import { type ChatEvent, type Entry } from './entry';
import { Streams } from './streams';
import { StreamsStore, type Hearing } from './streams.store';
import { Teller } from './teller';

/** What each account was told. */
class ToldTeller extends Teller {
  readonly told: string[] = [];

  override tell(event: ChatEvent, hearers: Iterable<string>) {
    super.tell(event, hearers);
    const { payload, to } = event;
    for (const account of Array.isArray(to) ? to : hearers)
      this.told.push(`${account}: ${'content' in payload ? payload.content : ''}`);
  }
}

/** A database whose answers come when the test says so. */
class HeldStore extends StreamsStore {
  lastSeq = 0;
  hears = true;
  holdsPairs = false;
  fails = false;
  asked = 0;
  readonly held: (() => void)[] = [];

  entries: Entry[] = [];

  override async findHearingsOf(pairs: readonly { account: string; stream: string }[]) {
    const { lastSeq, hears } = this;
    if (this.fails) throw new Error('Connection terminated');
    this.asked += 1;
    if (this.asked > 100) throw new Error('asked again and again');
    if (this.holdsPairs) await new Promise<void>((resolve) => this.held.push(resolve));
    return pairs.map((pair) => ({ ...pair, lastSeq, joinedSeq: 0, follows: false, hears }));
  }

  override findEntries([wanted]: readonly { stream: string; after: number }[]) {
    return Promise.resolve(this.entries.filter(({ seq }) => seq > (wanted?.after ?? 0)));
  }

  override async findHearings(accounts: readonly string[]): Promise<Hearing[]> {
    const lastSeq = this.lastSeq;
    if (accounts[0] === 'alice') await new Promise<void>((resolve) => this.held.push(resolve));
    if (lastSeq === 0 && accounts[0] === 'dave') return [];
    return accounts.map((account) => ({ account, stream: 'c', lastSeq, joinedSeq: 0, follows: false }));
  }
}

/** What is subscribed to. */
class TopicsBus implements Bus {
  readonly topics = new Set<string>();
  /** As if another instance had published it. */
  hear: (topic: string, text: string) => void = () => undefined;

  listen(listener: (topic: string, text: string) => void) {
    this.hear = listener;
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

  it('tells who came to a stream elsewhere what others here need not be told any more', async () => {
    await streams.enter('dave');
    // Made elsewhere, with dave among its members; carol connects when that is known, and dave's hint comes after it.
    store.entries = [message(1), message(2)];
    store.lastSeq = 2;
    await streams.enter('carol');
    await streams.learn({ places: [], looks: [{ account: 'dave', stream: 'c', again: false }] });
    streams.add(message(3));
    expect(teller.told).toEqual(['dave: 1', 'dave: 2', 'carol: 3', 'dave: 3']);
  });

  it('does not tell who left a stream while it was found out that they hear it', async () => {
    await streams.enter('dave');
    await streams.enter('carol');
    store.holdsPairs = true;
    const learnt = streams.learn({ places: [], looks: [{ account: 'dave', stream: 'c', again: false }] });
    await turn();
    streams.add({ stream: 'c', seq: 1, told: [], joins: [], leaves: ['dave'] });
    Object.assign(store, { lastSeq: 1, hears: false, holdsPairs: false });
    store.held.shift()?.();
    await learnt;
    streams.add(message(2));
    expect(teller.told).toEqual(['carol: 2']);
  });

  it('goes by what was read last whether somebody hears a stream, though an older reading comes later', async () => {
    await streams.enter('carol');
    store.holdsPairs = true;
    const look = { account: 'carol', stream: 'c', again: true };
    const looks = [look, look];
    const learnt = streams.learn({ places: [], looks });
    await turn();
    Object.assign(store, { hears: false, holdsPairs: false });
    await streams.learn({ places: [], looks });
    store.held.shift()?.();
    await learnt;
    streams.add(message(1));
    expect(teller.told).toEqual([]);
  });

  it('goes by an older reading where a later one failed', async () => {
    await streams.enter('carol');
    Object.assign(store, { holdsPairs: true, hears: false });
    const looks = [{ account: 'carol', stream: 'c', again: true }];
    const learnt = streams.learn({ places: [], looks });
    await turn();
    store.fails = true;
    await expect(streams.learn({ places: [], looks })).rejects.toThrow('Connection terminated');
    store.held.shift()?.();
    await learnt;
    streams.add(message(1));
    expect(teller.told).toEqual([]);
  });

  it('asks again whether an account that connects hears a stream where that may have changed since, and refuses it where it cannot', async () => {
    await streams.enter('carol');
    const entering = [streams.enter('alice')];
    store.held.shift()?.();
    await turn();
    // What alice's second reading says of her is older than this.
    streams.add({ stream: 'c', seq: 1, told: [], joins: [], leaves: ['alice'] });
    Object.assign(store, { holdsPairs: true, hears: false, lastSeq: 1 });
    store.held.shift()?.();
    await turn();
    streams.add(message(2));
    store.held.shift()?.();
    await Promise.all(entering);
    streams.add(message(3));
    expect(teller.told).toEqual(['carol: 2', 'carol: 3']);

    streams.leave('alice');
    entering.push(streams.enter('alice'));
    store.held.shift()?.();
    await turn();
    streams.add({ stream: 'c', seq: 4, told: [], joins: [], leaves: ['alice'] });
    store.fails = true;
    store.held.shift()?.();
    await expect(Promise.all(entering)).rejects.toThrow('Connection terminated');
  });

  it('closes a stream that was open for an entry of its own alone, also where the database could not be asked', async () => {
    await streams.enter('dave');
    store.fails = true;
    const cause: FrameRequest = Object.create(FrameRequest.prototype, { caller: { value: { account: 'dave' } } });
    streams.add(message(1), cause);
    expect([...bus.topics]).toEqual(['c']);
    await turn();
    expect([...bus.topics]).toEqual([]);
    expect(teller.told).toEqual([]);
  });

  it('believes a database that has lost what was told, as one may that takes over from another', async () => {
    await streams.enter('carol');
    streams.add({ stream: 'c', seq: 1, told: [], joins: [], leaves: [] });
    await streams.learn({ places: [], looks: [{ account: 'carol', stream: 'c', again: true }] });
    expect(store.asked).toBe(1);
    streams.add(message(2));
    expect(teller.told).toEqual(['carol: 2']);
  });

  // Whoever has Redis may write there. Node 20 reads what is nested so deep, and cannot write it.
  it('outlives a hint that cannot be told: when its turn comes, and when whoever hears the stream goes', async () => {
    await streams.enter('carol');
    const hint = (seq: number, payload: string) =>
      `{"kind":"entries","entries":[{"stream":"c","seq":${seq},"joins":[],"leaves":[],"told":[{"type":"chat-message","to":["bob"],"payload":${payload}}]}]}`;
    const tooDeep = `{"content":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    bus.hear('c', hint(2, tooDeep));
    streams.add(message(1));
    bus.hear('c', hint(4, tooDeep));
    bus.hear('c', hint(5, '{"content":"5"}'));
    streams.leave('carol');
    expect(teller.told).toEqual(expect.arrayContaining(['carol: 1', 'bob: 5']));
  });
});
