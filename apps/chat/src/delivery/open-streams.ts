import { EventEmitter } from 'node:events';
import { type Entry, type Position } from '../log/entry';
import { type Peers } from './peers';
import { Stream, type Deliver } from './stream';

/**
 * The streams that accounts connected to this instance are subscribed to. Other instances publish them to this one as long as they are
 * open. Emits `gap` when an entry of one of them turns out to be missing.
 */
export class OpenStreams extends EventEmitter<{ gap: [] }> {
  private readonly byId = new Map<string, Stream>();
  private readonly gaps = new Set<Stream>();

  constructor(
    private readonly peers: Peers,
    private readonly deliver: Deliver,
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
    const stream = new Stream(id, this.deliverIfOpen);
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

  /** Closes all streams. */
  closeAll() {
    for (const id of this.byId.keys()) this.peers.unsubscribe(id);
    this.byId.clear();
    this.gaps.clear();
  }

  /** @returns whether the stream is closed now because it has no subscribers */
  closeUnused(stream: Stream): boolean {
    if (stream.hasSubscribers || this.byId.get(stream.id) !== stream) return false;
    this.byId.delete(stream.id);
    this.gaps.delete(stream);
    this.peers.unsubscribe(stream.id);
    return true;
  }

  /** Notes whether the stream has a gap. To be called after every change of a stream. */
  checkGap(stream: Stream) {
    if (!stream.hasGap || this.byId.get(stream.id) !== stream) {
      this.gaps.delete(stream);
    } else if (!this.gaps.has(stream)) {
      this.gaps.add(stream);
      this.emit('gap');
    }
  }

  /** Records the last committed sequence numbers of streams. */
  expect(positions: readonly Position[]) {
    for (const { stream: id, seq } of positions) {
      const stream = this.byId.get(id);
      stream?.expect(seq);
      if (stream !== undefined) this.checkGap(stream);
    }
  }

  /** Returns the streams with a gap, and after which entry it begins. */
  missing(): Position[] {
    return Array.from(this.gaps, ({ id, deliveredSeq }) => ({ stream: id, seq: deliveredSeq }));
  }

  /** Returns the streams that are about to be read from the database, for `fill`. */
  beginFill(after: readonly Position[]): Stream[] {
    return after.flatMap(({ stream: id }) => {
      const stream = this.byId.get(id);
      stream?.beginFill();
      return stream ?? [];
    });
  }

  /**
   * Delivers what the database holds of streams. Streams that have been delivered further meanwhile ignore what they have already.
   *
   * @param maxEntries the limit of entries that were read of each stream
   */
  fill(streams: readonly Stream[], entries: readonly Entry[], maxEntries: number) {
    const byStream = new Map<string, Entry[]>(streams.map(({ id }) => [id, []]));
    for (const entry of entries) byStream.get(entry.stream)?.push(entry);
    for (const stream of streams) {
      // One that was closed meanwhile, and opened again, is to be read again.
      if (this.byId.get(stream.id) !== stream) continue;
      const found = byStream.get(stream.id) ?? [];
      stream.fill(found, found.length < maxEntries);
      this.checkGap(stream);
    }
  }

  /** A stream may be closed, and another one opened, while it delivers its early entries. */
  private readonly deliverIfOpen: Deliver = (entry, stream, requests) => {
    if (this.byId.get(stream.id) === stream) this.deliver(entry, stream, requests);
  };
}
