import { setImmediate as turn } from 'node:timers/promises';
import { createLogger, Registry } from '@waggle/service';
import { Pool } from 'pg';
import { Backfill } from '../src/delivery/backfill';
import { Cursor } from '../src/delivery/cursor';
import { FanOut } from '../src/delivery/fan-out';
import { Resumption } from '../src/delivery/resumption';
import { Stream } from '../src/delivery/streams';
import { type Entry } from '../src/log/entry';
import { MissedStore, type SeqRange } from '../src/log/missed.store';
import { AdoptedTimeline } from '../src/log/adopted-timeline';
import { TimelineStore } from '../src/log/timeline.store';
import { Connections } from '../src/realtime/connections';
import { RealtimeMetrics } from '../src/realtime/realtime.metrics';
import { SlowPeer } from './random-backfill/slow-peer';
import { requestOn } from './delivery-parts';

const message = (seq: number): Entry => ({
  stream: 'c',
  seq,
  message: { id: `m${seq}`, sender: 'dave', recipient: null, content: `${seq}`, sentAt: '2026-01-01T00:00:00.000Z' },
});

/** A database with eight entries of a conversation. The reader missed the first four, and leaves with the third. */
class MissedEntries extends MissedStore {
  readonly entries = [1, 2, 3, 4, 5, 6, 7, 8].map(message);

  override findAcknowledged() {
    return Promise.resolve([]);
  }

  override findMissed() {
    return Promise.resolve({
      ranges: [{ stream: 'c', from: 1, to: 4, hasLeft: false }],
      entries: 4,
    });
  }

  override findReceipts() {
    return Promise.resolve([]);
  }

  override findPage(ranges: readonly SeqRange[]) {
    return Promise.resolve(this.entries.filter(({ seq }) => ranges.some(({ from, to }) => seq >= from && seq <= to)));
  }
}

class OnlyTimeline extends TimelineStore {
  override read() {
    return Promise.resolve({ id: '', isSynchronous: false });
  }
}

describe('a subscription that starts with entries already delivered to others', () => {
  const cursor = new Cursor();
  cursor.advance(new Date(Date.now() - 1_000), '');
  let store: MissedEntries;
  let peer: SlowPeer;
  let fanOut: FanOut;
  let resumption: Resumption;
  beforeEach(() => {
    store = new MissedEntries(new Pool());
    const backfill = new Backfill(store, cursor, createLogger('test', 'silent'));
    const connections = new Connections();
    fanOut = new FanOut(connections, cursor, new RealtimeMetrics(new Registry(), connections), backfill);
    resumption = new Resumption(store, backfill, cursor, new OnlyTimeline(new Pool(), new AdoptedTimeline()));
    peer = new SlowPeer(1e6);
    connections.add(peer.connection);
    connections.authenticate(peer.connection, { account: 'reader', sessionId: 's', untilMs: Infinity });
  });
  afterEach(() => {
    peer.end();
  });

  const resume = () => resumption.resume(requestOn(peer.connection, 'authenticate', undefined), 'reader', cursor.value);
  const received = async () => {
    for (let turns = 0; turns < 40; turns += 1) {
      await turn();
      peer.read();
    }
    return peer.frames().flatMap(({ seq }) => seq ?? []);
  };

  it('skips entries that the connection received when it resumed', async () => {
    const resumed = resume();
    await received();
    await resumed;
    fanOut.startBackfill('reader', { stream: 'c', from: 1, to: 5, hasLeft: false }, new Map());
    expect(await received()).toEqual([1, 2, 3, 4, 5]);
  });

  it('is not overtaken by the reply to a request of a connection that resumes', async () => {
    const resumed = resume();
    fanOut.reply(message(5), requestOn(peer.connection, 'chat-message', 'request'));
    expect(await received()).toEqual([1, 2, 3, 4, 5]);
    await resumed;
  });

  it('is not shortened by the reply to a repetition on a connection that resumes', async () => {
    const repetition = requestOn(peer.connection, 'chat-message', 'request');
    repetition.repliesHereOnly = true;
    const resumed = resume();
    fanOut.reply(message(1), repetition);
    expect(await received()).toEqual([1, 1, 2, 3, 4]);
    await resumed;
  });

  it('delivers entries in order, together with a reply that becomes due meanwhile', async () => {
    fanOut.startBackfill('reader', { stream: 'c', from: 1, to: 5, hasLeft: false }, new Map());
    fanOut.reply(message(5), requestOn(peer.connection, 'chat-message', 'request'));
    expect(await received()).toEqual([1, 2, 3, 4, 5]);
    expect(peer.frames().map(({ ref }) => ref)).toEqual([undefined, undefined, undefined, undefined, 'request']);
  });

  it('delivers an entry again for each further request of the connection that it replies to', async () => {
    const request = (ref: string) => requestOn(peer.connection, 'chat-message', ref);
    const replies = new Map([[2, [request('one'), request('two')]]]);
    fanOut.startBackfill('reader', { stream: 'c', from: 1, to: 3, hasLeft: false }, replies);
    fanOut.reply(message(3), request('three'));
    fanOut.reply(message(3), request('four'));
    expect(await received()).toEqual([1, 2, 2, 3, 3]);
    expect(peer.frames().map(({ ref }) => ref)).toEqual([undefined, 'one', 'two', 'three', 'four']);
  });

  it('delivers an entry of several events once to a request, also if it is deferred', async () => {
    const events = ['one', 'two'].map((id) => ({
      type: 'conversation-removed' as const,
      payload: { id },
      to: ['reader'],
    }));
    const entry = { stream: 'c', seq: 6, events, joins: [], leaves: [], subscriptions: [] };
    store.entries[5] = entry;
    fanOut.startBackfill('reader', { stream: 'c', from: 5, to: 5, hasLeft: false }, new Map());
    const stream = new Stream('c', () => undefined);
    stream.subscribe('reader', 6);
    const request = requestOn(peer.connection, 'leave-conversation', 'request');
    fanOut.deliver(entry, stream, [request]);
    expect(await received()).toEqual([5, 6, 6]);
    expect(peer.frames().map(({ ref }) => ref)).toEqual([undefined, 'request', 'request']);
  });

  it('ends with the entry by which the account leaves, and begins again if it follows again', async () => {
    store.entries[2] = { stream: 'c', seq: 3, events: [], joins: [], leaves: ['reader'], subscriptions: [] };
    fanOut.startBackfill('reader', { stream: 'c', from: 1, to: 3, hasLeft: true }, new Map());
    const stream = new Stream('c', () => undefined);
    stream.subscribe('reader', 5);
    for (const entry of store.entries.slice(4, 6)) fanOut.deliver(entry, stream, []);
    expect(await received()).toEqual([1, 2, 5, 6]);
  });
});
