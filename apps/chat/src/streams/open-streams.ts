import { LRUCache } from 'lru-cache';
import { type Bus } from './bus';
import { type Entry } from './entry';
import { Stream, type Tell } from './stream';

/** Of so many streams that were closed last it is known what was told of them: longer than a hint is on its way. */
const toldBeforeMost = 10_000;

/** What is done with the entries of open streams. */
export interface Telling {
  readonly tell: Tell;
  /** The entry waited for its turn in a stream that is closed. */
  readonly tellUnheard: (entry: Entry) => void;
}

/**
 * The streams that are open here: those that somebody connected here hears, or may come to hear. What other instances say of them
 * comes over the bus, which is subscribed to as long as they are open.
 */
export class OpenStreams {
  private readonly byId = new Map<string, Stream>();
  /** The places up to which streams were told that were open here before. */
  private readonly toldBefore = new LRUCache<string, number>({ max: toldBeforeMost });
  /** Streams of which something is missing. */
  private readonly gaps = new Set<Stream>();
  /** Called when a gap appears. */
  onGap: () => void = () => undefined;

  constructor(
    private readonly bus: Bus,
    private readonly telling: Telling,
  ) {}

  get size(): number {
    return this.byId.size;
  }

  find(id: string): Stream | undefined {
    return this.byId.get(id);
  }

  findOrOpen(id: string): Stream {
    const known = this.byId.get(id);
    if (known !== undefined) return known;
    const stream = new Stream(id, this.toldBefore.get(id) ?? 0, this.telling.tell);
    this.toldBefore.delete(id);
    this.byId.set(id, stream);
    this.bus.subscribe([id]);
    return stream;
  }

  /** As `findOrOpen`, and keeps it open while it is found out who hears it: until `release`. */
  reserve(id: string): Stream {
    const stream = this.findOrOpen(id);
    stream.reserve();
    return stream;
  }

  release(stream: Stream) {
    stream.release();
    this.closeUnneeded(stream);
    this.noteGap(stream);
  }

  /** Closes the stream where nobody here hears it, nor may come to; what it held is told as unheard. */
  closeUnneeded(stream: Stream) {
    if (stream.isNeeded) return;
    this.byId.delete(stream.id);
    this.gaps.delete(stream);
    this.bus.unsubscribe([stream.id]);
    const held = stream.heldInOrder();
    this.toldBefore.set(stream.id, held.at(-1)?.seq ?? stream.toldSeq);
    for (const entry of held) this.telling.tellUnheard(entry);
  }

  take(stream: Stream, entry: Entry) {
    this.tellOf(stream, () => {
      stream.take(entry);
    });
  }

  start(stream: Stream, told: number) {
    this.tellOf(stream, () => {
      stream.start(told);
    });
  }

  expect(stream: Stream, seq: number) {
    stream.expect(seq);
    this.noteGap(stream);
  }

  /** Where entries are missing, and after which place. */
  missing(): { stream: string; after: number }[] {
    return Array.from(this.gaps, ({ id, toldSeq }) => ({ stream: id, after: toldSeq }));
  }

  /** What the database has of streams where something was missing, beginning with what comes next. */
  fill(missing: readonly { stream: string; after: number }[], found: readonly Entry[]) {
    const byStream = new Map<string, Entry[]>(missing.map(({ stream }) => [stream, []]));
    for (const entry of found) byStream.get(entry.stream)?.push(entry);
    for (const { stream: id, after } of missing) {
      const stream = this.byId.get(id);
      // Opened anew since, or told over the bus: it is asked again.
      if (stream?.toldSeq !== after) continue;
      this.tellOf(stream, () => {
        stream.fill(byStream.get(id) ?? []);
      });
    }
  }

  /** Keeps the stream open meanwhile: of several entries that are told one may end its last hearer, and the next bring another. */
  private tellOf(stream: Stream, tellSome: () => void) {
    stream.reserve();
    try {
      tellSome();
    } finally {
      this.release(stream);
    }
  }

  private noteGap(stream: Stream) {
    if (!stream.hasGap || !this.byId.has(stream.id)) {
      this.gaps.delete(stream);
    } else if (!this.gaps.has(stream)) {
      this.gaps.add(stream);
      this.onGap();
    }
  }
}
