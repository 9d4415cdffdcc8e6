import { setImmediate as turn } from 'node:timers/promises';
import { createLogger, Registry } from '@waggle/service';
import { Random } from '@waggle/testing';
import { Pool } from 'pg';
import { Connections } from '../src/realtime/connections';
import { RealtimeMetrics } from '../src/realtime/realtime.metrics';
import { Backfill } from '../src/delivery/backfill';
import { Cursor, toCursor } from '../src/delivery/cursor';
import { subscriptionChangesOf, type Entry } from '../src/log/entry';
import { MissedStore, type EntryRange, type SeqRange } from '../src/log/missed.store';
import { Resumption } from '../src/delivery/resumption';
import { FanOut } from '../src/delivery/fan-out';
import { Stream } from '../src/delivery/streams';
import { AdoptedTimeline } from '../src/log/adopted-timeline';
import { TimelineStore } from '../src/log/timeline.store';
import { RandomConversations } from './random-backfill/random-conversations';
import { SlowPeer, type ReceivedFrame } from './random-backfill/slow-peer';
import { requestOn } from './delivery-parts';

/** Number of random runs; `RUNS=5000` is the long form. `SEED` repeats a run. */
const runs = Number(process.env['RUNS'] ?? 30);
const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);

/** Instants a second apart are cursors; each is good for a day. */
const beganAtMs = Date.now() - 3_600_000;
const instantAfter = (commits: number) => new Date(beganAtMs + commits * 1_000);
const commitsBefore = (cursor: string) => (parseInt(cursor.slice(1), 36) - beganAtMs) / 1_000;

/** A database that no other takes over from. */
class OnlyTimeline extends TimelineStore {
  override read() {
    return Promise.resolve({ id: '', isSynchronous: false });
  }
}

/** Responds from memory, each time after a delay. */
class SlowStore extends MissedStore {
  constructor(
    private readonly random: Random,
    private readonly conversations: RandomConversations,
    private readonly deliverable: ReadonlyMap<Entry, unknown>,
  ) {
    super(new Pool());
  }

  override async findAcknowledged() {
    await this.pause();
    return [];
  }

  override async findMissed(_account: string, since: Date) {
    const after = commitsBefore(toCursor(since));
    const found = this.conversations.entries.slice(after).filter((entry) => this.deliverable.has(entry));
    await this.pause();
    const ranges: EntryRange[] = [];
    for (const entry of found) {
      const { stream, seq } = entry;
      const last = ranges.findLast((range) => range.stream === stream);
      const hasLeft = subscriptionChangesOf(entry).leaves.length > 0;
      if (last !== undefined && last.to + 1 === seq && !last.hasLeft) Object.assign(last, { to: seq, hasLeft });
      else ranges.push({ stream, from: seq, to: seq, hasLeft });
    }
    return { ranges: ranges.toReversed(), entries: found.length };
  }

  override async findPage(ranges: readonly SeqRange[]) {
    const page = ranges.flatMap(({ stream, from, to }) =>
      this.entriesOf(stream).filter(({ seq }) => seq >= from && seq <= to),
    );
    await this.pause();
    return page.slice(0, 1 + this.random.below(10));
  }

  private entriesOf(stream: string): Entry[] {
    return this.conversations.entries.filter((entry) => entry.stream === stream);
  }

  private async pause() {
    for (let turns = this.random.below(4); turns > 0; turns -= 1) await turn();
  }
}

/** A connection that reads now and then, and the entries that it must receive. */
class Run {
  readonly peer = new SlowPeer(200_000);
  /** The entries that it must receive, by stream in order, as `type seq`. */
  readonly expected = new Map<string, string[]>();
  /** The commits that it is delivered, and how many commits there were with each of them. */
  private readonly deliverable = new Map<Entry, number>();
  /** The references of its acknowledgments. */
  private readonly refs: string[] = [];
  private readonly conversations: RandomConversations;
  private readonly cursor = new Cursor();
  private readonly fanOut: FanOut;
  private readonly resumption: Resumption;
  /** The maximum of unsent bytes. */
  maxUnsent = 0;

  constructor(
    private readonly random: Random,
    moves: { leaves: number; joins: number; onlyFollows?: boolean } = { leaves: 0.03, joins: 0.2 },
  ) {
    this.conversations = new RandomConversations(random, 'reader', ['a', 'b', 'c'], moves);
    const store = new SlowStore(random, this.conversations, this.deliverable);
    const backfill = new Backfill(store, this.cursor, createLogger('test', 'silent'));
    const connections = new Connections();
    this.fanOut = new FanOut(connections, this.cursor, new RealtimeMetrics(new Registry(), connections), backfill);
    this.resumption = new Resumption(store, backfill, this.cursor, new OnlyTimeline(new Pool(), new AdoptedTimeline()));
    connections.add(this.peer.connection);
    connections.authenticate(this.peer.connection, { account: 'reader', sessionId: 's', untilMs: Infinity });
    this.cursor.advance(instantAfter(0), '');
  }

  commit() {
    const { entry, subscribers, isFor } = this.conversations.commit();
    if (isFor.length > 0) {
      this.deliverable.set(entry, this.conversations.entries.length);
      const expected = this.expected.get(entry.stream) ?? [];
      this.expected.set(entry.stream, [...expected, ...isFor.map((type) => `${type} ${entry.seq}`)]);
    }
    return () => {
      const stream = new Stream(entry.stream, () => undefined);
      for (const account of subscribers) stream.subscribe(account, entry.seq);
      this.fanOut.deliver(entry, stream, []);
      this.cursor.advance(instantAfter(this.conversations.entries.length), '');
    };
  }

  /** The account reads a conversation, on this or another device. */
  acknowledge() {
    const stream = this.random.pick(this.conversations.streams);
    this.expected.set(stream, [...(this.expected.get(stream) ?? []), 'acknowledged']);
    const payload = { conversation_id: stream };
    const ref = `${stream} ${this.refs.length}`;
    const isOwn = this.random.chance(0.5);
    if (isOwn) this.refs.push(ref);
    const origin = isOwn ? requestOn(this.peer.connection, 'acknowledgment', ref) : undefined;
    this.fanOut.broadcast({ type: 'acknowledged', payload, to: ['reader'] }, [], origin);
  }

  resume(cursor: string): Promise<void> {
    const request = requestOn(this.peer.connection, 'authenticate', undefined);
    return this.resumption.resume(request, 'reader', cursor);
  }

  read() {
    this.maxUnsent = Math.max(this.maxUnsent, this.peer.unsentBytes);
    this.peer.read();
  }

  async readAll() {
    for (let idle = 0; idle < 20; idle += 1) {
      if (this.peer.read()) idle = 0;
      await turn();
    }
  }

  /** Reads the rest, and compares all entries with the expected ones. */
  async check() {
    await this.readAll();
    const frames = this.peer.frames();
    const received = byStream(frames);
    expect(withoutRepeats(received)).toEqual(withoutRepeats(this.expected));
    expect(lastAcknowledgedAfter(received).toSorted()).toEqual(lastAcknowledgedAfter(this.expected).toSorted());
    const replies = frames.flatMap(({ type, ref }) => (type === 'acknowledged' && ref !== undefined ? [ref] : []));
    expect(replies.toSorted()).toEqual(this.refs.toSorted());
    this.checkCursors(frames);
    expect(this.peer.connection.isOpen).toBe(true);
    expect(this.peer.connection.deferred).toBeUndefined();
    expect(this.maxUnsent).toBeLessThan(700_000);
  }

  /** Fails if a frame has a cursor although an earlier entry was not delivered. */
  private checkCursors(frames: readonly ReceivedFrame[]) {
    const got = new Set<string>();
    for (const { stream, seq, cursor, payload } of frames) {
      const committed = cursor === undefined ? 0 : commitsBefore(cursor);
      for (const [entry, commits] of cursor === undefined ? [] : this.deliverable) {
        const position = `${entry.stream} ${entry.seq}`;
        if (commits <= committed && !got.has(position) && position !== `${stream} ${seq}`)
          throw new Error(`${position} was not delivered before ${JSON.stringify(payload).slice(0, 100)}`);
      }
      got.add(`${stream} ${seq}`);
    }
  }
}

function byStream(frames: readonly ReceivedFrame[]): Map<string, string[]> {
  const received = new Map<string, string[]>();
  for (const { type, stream, seq, payload } of frames) {
    const conversation = stream ?? payload['conversation_id'];
    if (typeof conversation !== 'string') continue;
    received.set(conversation, [...(received.get(conversation) ?? []), seq === undefined ? type : `${type} ${seq}`]);
  }
  return received;
}

/** Of several acknowledgments in a row, or that wait at the same time, the last one is enough. */
function withoutRepeats(received: ReadonlyMap<string, readonly string[]>): Record<string, readonly string[]> {
  return Object.fromEntries(
    [...received].map(([stream, what]) => [stream, what.filter((each) => each !== 'acknowledged')]),
  );
}

/** How many entries of its stream precede the last acknowledgment. */
function lastAcknowledgedAfter(received: ReadonlyMap<string, readonly string[]>): [string, number][] {
  return [...received].flatMap(([stream, what]) => {
    const at = what.lastIndexOf('acknowledged');
    return at < 0 ? [] : [[stream, what.slice(0, at).filter((each) => each !== 'acknowledged').length]];
  });
}

describe(`a connection that reads slowly, or resumes (${runs} runs, seed ${seed})`, () => {
  it('receives everything once and in order, and no cursor too early', async () => {
    let deferred = 0;
    for (let number = 0; number < runs; number += 1) {
      const random = new Random(seed + number);
      const run = new Run(random);
      const { connection } = run.peer;
      try {
        let resuming: Promise<void> | undefined;
        if (random.chance(0.5)) {
          for (let commits = random.below(30); commits > 0; commits -= 1) run.commit();
          resuming = run.resume(toCursor(instantAfter(0)));
        }
        for (let step = 0; step < 150; step += 1) {
          if (random.chance(0.7)) run.commit()();
          if (random.chance(0.05)) run.acknowledge();
          if (random.chance(0.3)) run.read();
          if (random.chance(0.3)) await turn();
          if (connection.deferred?.isResuming === false) deferred += 1;
        }
        await run.readAll();
        await resuming;
        await run.check();
      } catch (error) {
        throw new Error(`with the seed ${seed + number}`, { cause: error });
      } finally {
        run.peer.end();
      }
    }
    expect(deferred).toBeGreaterThan(0);
  }, 300_000);

  it('receives nothing of a conversation while its account is not a member, however often it leaves and rejoins', async () => {
    const run = new Run(new Random(seed), { leaves: 0.6, joins: 0.6 });
    for (let commits = 0; commits < 1_000; commits += 1) run.commit()();
    await run.check();
    run.peer.end();
  }, 60_000);

  it('receives every later entry after its account follows a channel again', async () => {
    const run = new Run(new Random(seed), { leaves: 0.1, joins: 0.3, onlyFollows: true });
    for (let commits = 0; commits < 1_000; commits += 1) run.commit()();
    await run.check();
    run.peer.end();
  }, 60_000);
});
