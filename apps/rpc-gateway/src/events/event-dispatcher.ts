import { setTimeout as pause } from 'node:timers/promises';
import { ConcurrencyLimiter, KeyedLimiter, type Logger, ThrottledLog } from '@waggle/service';
import { type EventPosition } from './event-id';
import { type EventStream } from './event-stream';
import { type EventMetrics } from './events.metrics';
import { type EventPage, type EventStore } from './events.store';
import { LiveStreams } from './live-streams';
import { findResetReason, type ResetReason } from './reset-reason';

/** Pages that are read at once. They leave most of the ten connections of the default pool to calls. */
const maxReads = 2;

export interface DispatcherOptions {
  /** Pause between two reads of new notifications. */
  readonly pollIntervalMs: number;
  /** A stream that wrote nothing for this long gets a heartbeat. */
  readonly heartbeatMs: number;
}

/** How often per `heartbeatMs` the dispatcher looks for streams that need a heartbeat. */
const heartbeatChecks = 15;

/** How `endStreams` spreads the end of the streams: over at most 50 batches 100 ms apart, within five seconds. */
const minStreamsPerBatch = 100;
const maxBatches = 50;
const batchIntervalMs = 100;

/**
 * Sends the notifications of the index to the streams of this process. While there are streams, it polls for new
 * notifications, and sends each to the live streams of its recipient. No events are buffered.
 *
 * `advance` moves every stream to its next state, whether it is new, resumes, or fell behind:
 *
 *     state         meaning                                         next state
 *     waiting       for the next poll that succeeds                 catching up, live or full
 *     catching up   reads a page from its own position              catching up, waiting, live or full
 *     live          gets each new event from the poll               full
 *     full          until its client has read what was sent         catching up, waiting or live
 */
export class EventDispatcher {
  private readonly streams = new Set<EventStream>();
  private readonly live = new LiveStreams();
  private readonly waiting = new Set<EventStream>();
  private readonly readLimiter = new ConcurrencyLimiter({ maxRunning: maxReads });
  /** One read at a time for each address, so that the streams of one address do not delay others. */
  private readonly addressLimiter = new KeyedLimiter({ maxRunning: 1 });
  private readonly stop = new AbortController();
  private readonly failures: ThrottledLog;
  /** All events up to here were sent to the live streams. Undefined before the first poll. */
  private position: EventPosition | undefined;
  /** The index cannot contain an event with this id or a later one. */
  private firstImpossibleId = 0n;
  private heartbeats: NodeJS.Timeout | undefined;
  private polling: Promise<void> | undefined;

  constructor(
    private readonly store: Pick<EventStore, 'findAfter' | 'findOfAccounts'>,
    private readonly metrics: EventMetrics,
    logger: Logger,
    private readonly options: DispatcherOptions,
  ) {
    this.failures = ThrottledLog.warnings(
      logger,
      'events cannot be read; the streams continue when the database responds',
    );
  }

  /** Serves the stream until it is closed. */
  add(stream: EventStream): void {
    this.streams.add(stream);
    stream.onClosed(() => {
      this.remove(stream);
    });
    this.heartbeats ??= setInterval(() => {
      this.sendHeartbeats();
    }, this.options.heartbeatMs / heartbeatChecks).unref();
    this.polling ??= this.poll();
    this.advance(stream);
  }

  /** Ends the streams in small batches, so that their clients do not reach the other instances all at once. */
  async endStreams(): Promise<void> {
    const batch = Math.max(minStreamsPerBatch, Math.ceil(this.streams.size / maxBatches));
    while (this.streams.size > 0) {
      for (const stream of [...this.streams].slice(0, batch)) {
        stream.end();
        this.remove(stream);
      }
      if (this.streams.size > 0) await pause(batchIntervalMs);
    }
    this.stop.abort();
    await this.polling;
  }

  private remove(stream: EventStream): void {
    this.streams.delete(stream);
    this.live.delete(stream);
    this.waiting.delete(stream);
    if (this.streams.size > 0) return;
    clearInterval(this.heartbeats);
    this.heartbeats = undefined;
  }

  /** Puts an open stream into its next state. */
  private advance(stream: EventStream): void {
    if (!stream.isOpen) return;
    const { position } = this;
    if (position === undefined) {
      this.waiting.add(stream);
      return;
    }
    const { id } = stream.beginAt(position);
    // A client that has seen more than this index contains catches up, too: `sendPage` resets it.
    const isPossible = id < this.firstImpossibleId;
    if (stream.response.isFull) this.advanceWhenDrained(stream);
    else if (stream.hasReached(position) && isPossible) this.live.add(stream);
    else void this.catchUp(stream, id);
  }

  private advanceWhenDrained(stream: EventStream): void {
    stream.response.onDrained(() => {
      this.advance(stream);
    });
  }

  /** Reads the next page of a stream from its own position and sends it. */
  private async catchUp(stream: EventStream, after: bigint): Promise<void> {
    const page = await this.readPage(stream, after).catch((error: unknown) => {
      this.failures.log(error);
    });
    if (!stream.isOpen) return;
    if (page === undefined) {
      this.waiting.add(stream);
      return;
    }
    stream.sendPage(page);
    // The poll may have read further meanwhile, or another index.
    if (page.index === this.position?.index && page.firstImpossibleId > this.firstImpossibleId)
      this.firstImpossibleId = page.firstImpossibleId;
    const hasReached = this.position !== undefined && stream.hasReached(this.position);
    // Otherwise the poll has read further, or it has not seen a new index yet.
    if (page.isFull || hasReached) this.advance(stream);
    else this.waiting.add(stream);
  }

  /** @returns undefined if the stream is closed before its turn */
  private readPage(stream: EventStream, after: bigint): Promise<EventPage | undefined> {
    return this.addressLimiter.run(stream.address, async () => {
      await this.waitForRateLimit(stream);
      return await this.readLimiter.run(async () =>
        stream.isOpen ? await this.store.findOfAccounts(stream.accounts, after) : undefined,
      );
    });
  }

  /** Waits until the client of the stream may receive another page. */
  private async waitForRateLimit(stream: EventStream): Promise<void> {
    const { waitMs } = stream.response;
    if (waitMs === 0) return;
    await pause(waitMs, undefined, { signal: this.stop.signal, ref: false }).catch(() => undefined);
  }

  /** Polls until there are no streams. The next stream then begins at the end of the index. */
  private async poll(): Promise<void> {
    const { signal } = this.stop;
    while (this.streams.size > 0 && !signal.aborted) {
      const isBehind = await this.readNext();
      if (!isBehind) await pause(this.options.pollIntervalMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
    this.position = undefined;
    this.polling = undefined;
  }

  /** Reads and dispatches the next page of events. @returns whether there is more to read */
  private async readNext(): Promise<boolean> {
    try {
      const page = await this.store.findAfter(this.position?.id);
      if (page === undefined) return false;
      const readAtMs = performance.now();
      this.dispatch(page);
      if (page.events.length > 0) this.metrics.observeDelay(page, readAtMs);
      const ready = [...this.waiting];
      this.waiting.clear();
      for (const stream of ready) this.advance(stream);
      return page.isFull;
    } catch (error) {
      this.failures.log(error);
      return false;
    }
  }

  /** Sends the events of a page to the live streams, and moves the position of the dispatcher. */
  private dispatch(page: EventPage): void {
    const { index, events, isFull, end } = page;
    this.firstImpossibleId = page.firstImpossibleId;
    const position = this.position ?? { index, id: end };
    const reason = findResetReason(position, page);
    // After a failover that lost commits, the index is behind the streams, and will contain the same events again.
    if (reason !== undefined && reason !== 'ahead-of-index') {
      this.resetLiveStreams(reason, page);
      return;
    }
    for (const event of events) {
      for (const stream of this.live.of(event.account)) {
        stream.sendEvent(index, event);
        this.suspendIfFull(stream);
      }
    }
    const lastId = isFull ? events.at(-1)?.id : end;
    // An index that is behind does not move the position back.
    this.position = lastId === undefined || lastId < position.id ? position : { index, id: lastId };
  }

  private resetLiveStreams(reason: ResetReason, page: EventPage): void {
    this.position = { index: page.index, id: page.end };
    for (const stream of this.live.all()) {
      stream.reset(reason, page);
      this.suspendIfFull(stream);
    }
  }

  /** A stream whose client fell behind is not live until the client has read what was sent. */
  private suspendIfFull(stream: EventStream): void {
    if (!stream.response.isFull) return;
    this.live.delete(stream);
    this.advanceWhenDrained(stream);
  }

  private sendHeartbeats(): void {
    const beforeMs = performance.now() - this.options.heartbeatMs;
    for (const stream of this.streams)
      stream.sendHeartbeat(beforeMs, this.live.has(stream) ? this.position : undefined);
  }
}
