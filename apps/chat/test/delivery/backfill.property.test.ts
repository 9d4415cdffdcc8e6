import { setImmediate as turn } from 'node:timers/promises';
import { Random } from '@waggle/testing';
import { Pool } from 'pg';
import { toCursor } from '../../src/delivery/cursor';
import { FanOut } from '../../src/delivery/fan-out';
import { subscriptionChangesOf, type Entry, type EntryRange, type Position, type SeqRange } from '../../src/log/entry';
import { LogStore } from '../../src/log/log.store';
import { CatchUpStore } from '../../src/log/catch-up.store';
import { deliveryOf, requestOn } from '../support/delivery-parts';
import { RandomConversations } from './random-conversations';
import { SlowPeer, type ReceivedFrame } from '../support/slow-peer';

/** Number of random runs; `RUNS=5000` is the long form. `SEED` repeats a run. */
const runs = Number(process.env['RUNS'] ?? 30);
const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);

/** Instants a second apart are cursors; each is good for a day. */
const beganAtMs = Date.now() - 3_600_000;
const instantAfter = (commits: number) => new Date(beganAtMs + commits * 1_000);
const commitsBefore = (cursor: string) => (parseInt(cursor.slice(1), 36) - beganAtMs) / 1_000;

/** Responds from memory; what a connection catches up with, after a delay. */
class MemoryLog extends LogStore {
  constructor(
    private readonly random: Random,
    private readonly conversations: RandomConversations,
  ) {
    super(new Pool());
  }

  override findSubscriptions(account: string) {
    const { conversations } = this;
    const isSubscribed = (stream: string) =>
      account !== conversations.reader || conversations.ranges.some((each) => each.stream === stream && !each.hasLeft);
    const subscribed = conversations.streams.filter(isSubscribed);
    return Promise.resolve({
      accountSeq: account === conversations.reader ? conversations.ownSeq : 0,
      conversations: subscribed.map((stream) => ({ stream, seq: conversations.lastSeq(stream) })),
    });
  }

  override findLastSeqs() {
    return Promise.resolve([]);
  }

  override findEntries() {
    return Promise.resolve([]);
  }

  override async findSubscribed(_account: string, wanted: readonly Position[]): Promise<EntryRange[]> {
    const found = wanted.flatMap(({ stream, seq }) =>
      this.conversations.ranges
        .filter((range) => range.stream === stream)
        .map((range) => ({
          ...range,
          from: Math.max(range.from, seq),
          to: Math.min(range.to, this.conversations.lastSeq(stream)),
        }))
        .filter(({ from, to }) => from <= to),
    );
    for (let turns = this.random.below(4); turns > 0; turns -= 1) await turn();
    return found;
  }
}

/** Responds from memory, each time after a delay. */
class SlowStore extends CatchUpStore {
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

  override async findSince(_account: string, since: Date) {
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
  private readonly parts: ReturnType<typeof deliveryOf<FanOut>>;
  /** The maximum of unsent bytes. */
  maxUnsent = 0;

  constructor(
    private readonly random: Random,
    moves: { leaves: number; joins: number; onlyFollows?: boolean } = { leaves: 0.03, joins: 0.2 },
  ) {
    this.conversations = new RandomConversations(random, 'reader', ['a', 'b', 'c'], moves);
    const log = new MemoryLog(random, this.conversations);
    this.parts = deliveryOf(log, {
      catchUpStore: new SlowStore(random, this.conversations, this.deliverable),
      fanOutClass: FanOut,
    });
    this.parts.cursor.advance(instantAfter(0), '');
  }

  /** Connects the reader, and another account that keeps the streams open. */
  async connect() {
    const { delivery, connections } = this.parts;
    await delivery.connect('zoe');
    await delivery.connect('reader');
    connections.add(this.peer.connection);
    connections.authenticate(this.peer.connection, { account: 'reader', sessionId: 's', untilMs: Infinity });
  }

  get isBehind(): boolean {
    return this.parts.catchUp.findBehind(this.peer.connection)?.isResuming === false;
  }

  /** @returns what delivers it */
  commit() {
    const { entry, own, isFor } = this.conversations.commit();
    if (isFor.length > 0) {
      this.deliverable.set(entry, this.conversations.entries.length);
      const expected = this.expected.get(entry.stream) ?? [];
      this.expected.set(entry.stream, [...expected, ...isFor.map((type) => `${type} ${entry.seq}`)]);
    }
    return () => {
      this.parts.delivery.deliverCommitted([...own, entry]);
      this.parts.cursor.advance(instantAfter(this.conversations.entries.length), '');
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
    const event = { type: 'acknowledged' as const, payload, to: ['reader'] };
    this.parts.delivery.broadcast('reader', event, origin, this.conversations.lastSeq(stream));
  }

  resume(cursor: string): Promise<void> {
    const request = requestOn(this.peer.connection, 'authenticate', undefined);
    return this.parts.resumption.resume(request, 'reader', cursor);
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
    expect(this.parts.catchUp.findBehind(this.peer.connection)).toBeUndefined();
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
    let behind = 0;
    for (let number = 0; number < runs; number += 1) {
      const random = new Random(seed + number);
      const run = new Run(random);
      try {
        let resuming: Promise<void> | undefined;
        const resumes = random.chance(0.5);
        if (resumes) for (let commits = random.below(30); commits > 0; commits -= 1) run.commit();
        await run.connect();
        if (resumes) resuming = run.resume(toCursor(instantAfter(0)));
        for (let step = 0; step < 150; step += 1) {
          if (random.chance(0.7)) run.commit()();
          if (random.chance(0.05)) run.acknowledge();
          if (random.chance(0.3)) run.read();
          if (random.chance(0.3)) await turn();
          if (run.isBehind) behind += 1;
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
    expect(behind).toBeGreaterThan(0);
  });

  it('receives nothing of a conversation while its account is not a member, however often it leaves and rejoins', async () => {
    const run = new Run(new Random(seed), { leaves: 0.6, joins: 0.6 });
    await run.connect();
    for (let commits = 0; commits < 1_000; commits += 1) run.commit()();
    await run.check();
    run.peer.end();
  });

  it('receives every later entry after its account follows a channel again', async () => {
    const run = new Run(new Random(seed), { leaves: 0.1, joins: 0.3, onlyFollows: true });
    await run.connect();
    for (let commits = 0; commits < 1_000; commits += 1) run.commit()();
    await run.check();
    run.peer.end();
  });
});
