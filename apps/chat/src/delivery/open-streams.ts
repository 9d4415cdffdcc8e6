import { EventEmitter } from 'node:events';
import { Injectable } from '@nestjs/common';
import { type Entry, type Position } from '../log/entry';
import { LogStore } from '../log/log.store';
import { chunks } from '../portions';
import { Peers } from './peers';
import { Stream } from './stream';

/** Maximum number of streams whose entries one statement reads. */
const maxStreamsToRead = 50;

/**
 * The streams that accounts connected to this instance are subscribed to. Other instances publish them to this one as
 * long as they are open. Emits `entry` for each entry, once and in order within its stream; `behind` when a stream
 * turns out to be behind; and `caught-up` when entries were read from the database.
 */
@Injectable()
export class OpenStreams extends EventEmitter<{
  entry: [entry: Entry, stream: Stream];
  behind: [];
  'caught-up': [entries: number];
}> {
  private readonly byId = new Map<string, Stream>();
  private readonly behind = new Set<Stream>();
  /** Commits of this instance that have begun and whose entries are not delivered yet. */
  private readonly ownCommits = new Set<Promise<unknown>>();

  constructor(
    private readonly peers: Peers,
    private readonly log: LogStore,
  ) {
    super();
  }

  get size(): number {
    return this.byId.size;
  }

  find(id: string): Stream | undefined {
    return this.byId.get(id);
  }

  ids(): string[] {
    return [...this.byId.keys()];
  }

  open(id: string): Stream {
    const stream = new Stream(id, (entry) => {
      // A subscriber of an entry may close the stream, and open it again, while its waiting entries are delivered.
      if (this.byId.get(id) === stream) this.emit('entry', entry, stream);
    });
    this.byId.set(id, stream);
    this.peers.subscribe(id);
    return stream;
  }

  /** Returns the last delivered sequence number of each stream. */
  positions(): Position[] {
    return [...this.byId.values()].flatMap(({ id, hasStarted, deliveredSeq }) =>
      hasStarted ? [{ stream: id, seq: deliveredSeq }] : [],
    );
  }

  /** Whether the streams are delivered up to the given positions, as far as they have subscribers here. */
  haveDelivered(positions: readonly Position[]): boolean {
    return positions.every(({ stream: id, seq }) => {
      const stream = this.byId.get(id);
      return stream === undefined || !stream.hasStarted || stream.hasDelivered(seq);
    });
  }

  /** Closes all streams. */
  closeAll(): void {
    for (const id of this.byId.keys()) this.peers.unsubscribe(id);
    this.byId.clear();
    this.behind.clear();
  }

  /** Closes a stream if it has no subscribers. */
  closeUnused(stream: Stream): void {
    if (!stream.subscribers.isEmpty || this.byId.get(stream.id) !== stream) return;
    this.byId.delete(stream.id);
    this.behind.delete(stream);
    this.peers.unsubscribe(stream.id);
  }

  /**
   * Tracks a commit of this instance until its entries are delivered. Reads of the database wait for tracked commits:
   * otherwise they could deliver an entry before `RequestReplies` knows the request that the entry replies to.
   *
   * @param work commits, and delivers the entries. Call `track` before it commits
   */
  track<T>(work: Promise<T>): Promise<T> {
    const forget = () => this.ownCommits.delete(settled);
    const settled: Promise<unknown> = work.then(forget, forget);
    this.ownCommits.add(settled);
    return work;
  }

  get hasOwnCommits(): boolean {
    return this.ownCommits.size > 0;
  }

  /** Resolves when the commits of this instance that have begun by now are delivered, or have failed. */
  async ownCommitsDelivered(): Promise<void> {
    await Promise.all(this.ownCommits);
  }

  /** Adds the stream to those that are behind, or removes it. To be called after every change of a stream. */
  checkBehind(stream: Stream): void {
    if (!stream.isBehind || this.byId.get(stream.id) !== stream) {
      this.behind.delete(stream);
    } else if (!this.behind.has(stream)) {
      this.behind.add(stream);
      this.emit('behind');
    }
  }

  /** Records the last committed sequence numbers of streams. */
  expect(positions: readonly Position[]): void {
    for (const { stream: id, seq } of positions) {
      const stream = this.byId.get(id);
      stream?.expect(seq);
      if (stream !== undefined) this.checkBehind(stream);
    }
  }

  /** Whether any stream is behind. */
  get isBehind(): boolean {
    return this.behind.size > 0;
  }

  /**
   * Delivers the next entries of the streams that are behind from the database, up to `LogStore.maxEntries` of each.
   *
   * @returns how many entries it has read
   */
  async catchUp(): Promise<number> {
    return await this.readNext(Array.from(this.behind, ({ id }) => id));
  }

  /** Delivers all entries that the database holds of a stream, if it is open and has started. */
  async readToEnd(id: string): Promise<void> {
    let found: number;
    do found = await this.readNext([id]);
    while (found > 0);
  }

  /** Delivers the entries up to the given positions, as far as their streams are open. */
  async readUpTo(positions: readonly Position[]): Promise<void> {
    this.expect(positions);
    let found: number;
    do {
      const missing = positions.filter((position) => !this.haveDelivered([position]));
      found = await this.readNext(missing.map(({ stream }) => stream));
    } while (found > 0);
  }

  /** Delivers the next entries of open streams from the database, and returns how many it has read. */
  private async readNext(ids: readonly string[]): Promise<number> {
    let found = 0;
    for (const portion of chunks(ids, maxStreamsToRead)) found += await this.readNextPortion(portion);
    return found;
  }

  private async readNextPortion(ids: readonly string[]): Promise<number> {
    // A stream that has not started yet waits for its first subscriber, which reads where it begins.
    const streams = ids.flatMap((id) => this.byId.get(id) ?? []).filter(({ hasStarted }) => hasStarted);
    if (streams.length === 0) return 0;
    for (const stream of streams) stream.beginCatchUp();
    const entries = await this.log.findEntries(
      streams.map(({ id, deliveredSeq }) => ({ stream: id, seq: deliveredSeq })),
    );
    // Own commits are delivered first, together with their request, so that their sender gets its reply.
    await this.ownCommitsDelivered();
    const byStream = new Map<string, Entry[]>(streams.map(({ id }) => [id, []]));
    for (const entry of entries) byStream.get(entry.stream)?.push(entry);
    for (const stream of streams) {
      // It was closed meanwhile. A stream that was opened with the same id is read in a later call.
      if (this.byId.get(stream.id) !== stream) continue;
      const found = byStream.get(stream.id) ?? [];
      stream.catchUp(found, found.length < this.log.maxEntries);
      this.checkBehind(stream);
    }
    this.emit('caught-up', entries.length);
    return entries.length;
  }
}
