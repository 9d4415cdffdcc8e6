import { createLogger } from '@waggle/service';
import { Pool } from 'pg';
import { tellerParts } from '../../test/teller-parts';
import { FrameRequest } from '../realtime/frame-request';
import { type Bus } from './bus';
import { type ChatEvent, type Entry, isToldTo } from './entry';
import { Streams } from './streams';
import { StreamsStore, type Hearing } from './streams.store';
import { Teller } from './teller';

/** What each account was told, and what of it was told as an answer. */
class ToldTeller extends Teller {
  readonly told: string[] = [];
  readonly answers: string[] = [];

  override tell(event: ChatEvent, hearers: ReadonlySet<string>, _entry?: Entry, cause?: FrameRequest) {
    super.tell(event, hearers);
    const { payload, to } = event;
    for (const account of 'length' in to ? to : [...hearers].filter((each) => isToldTo(to, each))) {
      const told = `${account}: ${'content' in payload ? payload.content : ''}`;
      this.told.push(told);
      if (cause?.caller.account === account) this.answers.push(told);
    }
    return this.answers.length > 0;
  }

  override answer({ payload }: ChatEvent, _entry: Entry, { caller }: FrameRequest) {
    this.answers.push(`${caller.account}: ${'content' in payload ? payload.content : ''}`);
  }
}

/** A database whose answers come when the test says so. */
class HeldStore extends StreamsStore {
  lastSeq = 0;
  joinedSeq = 0;
  hears = true;
  holdsPairs = false;
  fails = false;
  asked = 0;
  readonly held: (() => void)[] = [];

  entries: Entry[] = [];

  override async findHearingsOf(pairs: readonly { account: string; stream: string }[]) {
    const { lastSeq, joinedSeq, hears } = this;
    if (this.fails) throw new Error('Connection terminated');
    this.asked += 1;
    if (this.asked > 100) throw new Error('asked again and again');
    if (this.holdsPairs) await new Promise<void>((resolve) => this.held.push(resolve));
    return pairs.map((pair) => ({ ...pair, lastSeq, joinedSeq, hears, leftSeq: 0 }));
  }

  override findEntries([wanted]: readonly { stream: string; after: number }[]) {
    if (this.fails) return Promise.reject(new Error('Connection terminated'));
    return Promise.resolve(this.entries.filter(({ seq }) => seq > (wanted?.after ?? 0)));
  }

  override async findHearings(accounts: readonly string[]): Promise<Hearing[]> {
    const lastSeq = this.lastSeq;
    if (accounts[0] === 'alice') await new Promise<void>((resolve) => this.held.push(resolve));
    if (lastSeq === 0 && accounts[0] === 'dave') return [];
    return accounts.map((account) => ({ account, stream: 'c', lastSeq, joinedSeq: 0 }));
  }
}

/** What is subscribed to. */
class TopicsBus implements Bus {
  readonly topics = new Set<string>();
  subscriptions = 0;
  /** As if another instance had published it. */
  hear: (topic: string, text: string) => void = () => undefined;

  listen(listener: (topic: string, text: string) => void) {
    this.hear = listener;
  }
  subscribe(topics: readonly string[]) {
    this.subscriptions += topics.length;
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

function requestOf(account: string): FrameRequest {
  const request: FrameRequest = Object.create(FrameRequest.prototype, {
    connection: { value: {} },
    caller: { value: { account } },
  });
  return request;
}

describe('Streams', () => {
  let store: HeldStore;
  let teller: ToldTeller;
  let bus: TopicsBus;
  let streams: Streams;
  beforeEach(() => {
    store = new HeldStore(new Pool());
    teller = new ToldTeller(...tellerParts());
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
    streams.add(message(1), requestOf('dave'));
    expect([...bus.topics]).toEqual(['c']);
    await turn();
    expect([...bus.topics]).toEqual([]);
    expect(teller.told).toEqual([]);
  });

  it('replies to who wrote before it was known here that they are a member, and is removed meanwhile', async () => {
    await streams.enter('dave');
    Object.assign(store, { hears: false, lastSeq: 2 });
    streams.add(message(1), requestOf('dave'));
    await turn();
    expect(teller.told).toEqual([]);
    expect(teller.answers).toEqual(['dave: 1']);

    const told: ChatEvent = { type: 'conversation-removed', payload: { id: 'c' }, to: ['dave'] };
    streams.add({ stream: 'c', seq: 2, told: [told], joins: [], leaves: [] }, requestOf('dave'));
    await turn();
    expect(teller.answers).toEqual(['dave: 1', 'dave: ']);
  });

  it('opens nothing for what was written on a connection that is gone', async () => {
    streams.add(message(1), requestOf('dave'));
    await turn();
    expect(bus.subscriptions).toBe(0);
  });

  it('answers with the message who wrote it before it was known here that they hear the stream, after what they missed', async () => {
    await streams.enter('dave');
    await streams.enter('carol');
    const own: Entry = {
      stream: 'c',
      seq: 2,
      message: { id: 'm2', sender: 'dave', recipient: null, content: '2', sentAt: '' },
    };
    streams.add(message(1));
    store.entries = [message(1), own];
    store.lastSeq = 2;
    streams.add(own, requestOf('dave'));
    await turn();
    expect(teller.told).toEqual(['carol: 1', 'carol: 2', 'dave: 1', 'dave: 2']);
    expect(teller.answers).toEqual(['dave: 2']);
  });

  it('tells once and in order what was written on a connection before it was known here that its account hears the stream', async () => {
    await streams.enter('dave');
    const request = requestOf('dave');
    const told: ChatEvent = { type: 'conversation-removed', payload: { id: 'c' }, to: ['dave'] };
    streams.add({ stream: 'c', seq: 1, told: [told], joins: [], leaves: [] }, request);
    streams.add(message(2), request);
    expect(teller.told).toEqual([]);
    await turn();
    expect(teller.told).toEqual(['dave: ', 'dave: 2']);
  });

  it('lets who left a channel and follows it again hear it as soon as the leaving is told', async () => {
    await streams.enter('carol');
    Object.assign(store, { lastSeq: 1, joinedSeq: 1 });
    await streams.learn({ places: [], looks: [{ account: 'carol', stream: 'c', again: true }] });
    expect(streams.missing()).toEqual([{ stream: 'c', after: 0 }]);
    streams.add({ stream: 'c', seq: 1, told: [], joins: [], leaves: ['carol'] });
    expect([...streams.hearersOf('c')]).toEqual(['carol']);
  });

  it('does not tell again what an account heard of a channel before it ceased to follow it and began anew', async () => {
    await streams.enter('carol');
    streams.add(message(1));
    const looks = [{ account: 'carol', stream: 'c', again: true }];
    store.hears = false;
    await streams.learn({ places: [], looks });
    expect([...streams.hearersOf('c')]).toEqual([]);
    Object.assign(store, { hears: true, lastSeq: 2, entries: [message(1), message(2)] });
    await streams.learn({ places: [], looks });
    streams.add(message(2));
    expect(teller.told).toEqual(['carol: 1', 'carol: 2']);
  });

  it('has not found out who hears a stream where a later question is still at work that may fail', async () => {
    await streams.enter('dave');
    await streams.enter('carol');
    streams.add(message(1));
    Object.assign(store, { holdsPairs: true, lastSeq: 1 });
    const looks = [{ account: 'dave', stream: 'c', again: false }];
    const [earlier, later] = [streams.learn({ places: [], looks }), streams.learn({ places: [], looks })];
    await turn();
    store.fails = true;
    store.held.pop()?.();
    store.held.pop()?.();
    await expect(later).rejects.toThrow('Connection terminated');
    await expect(earlier).rejects.toThrow('Connection terminated');
  });

  it('reads once whether an account that connects hears a stream, though others come to it and go meanwhile', async () => {
    await streams.enter('carol');
    const entering = streams.enter('alice');
    store.held.shift()?.();
    await turn();
    for (let seq = 1; seq < 10; seq += 1) streams.add({ stream: 'c', seq, told: [], joins: ['zoe'], leaves: ['yves'] });
    store.held.shift()?.();
    await entering;
    expect(store.asked).toBe(0);
  });

  it('has told what is in a stream that somebody is about to hear', async () => {
    store.lastSeq = 1;
    const entering = streams.enter('alice');
    store.held.shift()?.();
    await turn();
    expect(streams.haveTold([{ stream: 'c', seq: 1 }])).toBe(true);
    store.held.shift()?.();
    await entering;
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
