import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { KeyedLimiter, LOGGER, type Logger, ThrottledLog } from '@waggle/service';
import { eventsOf, isRecipient, subscriptionChangesOf, type Entry } from '../log/entry';
import { type EntryRange, MissedStore } from '../log/missed.store';
import { affordableBeforePage, priceOfPage } from '../realtime/frame-limits';
import { type Connection } from '../realtime/connection';
import { type DeferredStreams, type Notice } from '../realtime/deferred-streams';
import { type FrameRequest } from '../realtime/frame-request';
import { ServerFrame } from '../realtime/server-frame';
import { Cursor } from './cursor';

/**
 * Maximum size of a page, in sequence numbers and in bytes of message text. A page stays in memory until the client has received it.
 * It has entries of one or more deferred streams; in the next page the other streams come first.
 */
const maxPageEntries = 100;
const maxPageTextBytes = 64 * 1_024;

/**
 * Maximum interval between checks whether a waiting connection has closed, in milliseconds. A closed connection blocks other resumes of
 * its account (`Resumption`) until the next check.
 */
const maxCheckIntervalMs = 500;

/**
 * Delivers entries from the database, page by page, to a connection that is behind because it is slow or was subscribed late (`FanOut`),
 * or resumes (`Resumption`). When nothing is deferred any more it becomes live in the same turn of the event loop, so that
 * no frame overtakes the last deferred one.
 */
@Injectable()
export class Backfill {
  /** The pages of one account are read one after another: an account uses one database connection at a time. */
  private readonly pageQueue = new KeyedLimiter({ maxRunning: 1 });
  private readonly failures: ThrottledLog;

  constructor(
    private readonly store: MissedStore,
    private readonly cursor: Cursor,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.failures = ThrottledLog.errors(logger, 'cannot read what was deferred on a connection');
  }

  /**
   * Defers an entry. Later entries of its stream are deferred too until it is delivered.
   *
   * @param leaves whether the account leaves the stream with it
   */
  defer(connection: Connection, { stream, seq }: Entry, request: FrameRequest | undefined, leaves: boolean) {
    this.deferOn(connection, (deferred) => deferred.add(stream, seq, request, leaves));
  }

  /**
   * Defers a range of a stream, except the entries that were delivered when the connection resumed. Later entries of the stream are
   * deferred too until the range is delivered.
   *
   * @param requests the connection's own requests that entries reply to, by sequence number
   */
  deferRange(connection: Connection, range: EntryRange, requests: ReadonlyMap<number, readonly FrameRequest[]>) {
    const from = Math.max(range.from, connection.resumedUpTo(range.stream) + 1);
    if (from > range.to) return;
    this.deferOn(connection, (deferred) => deferred.addRange({ ...range, from }, requests));
  }

  /** Defers a frame that is not stored until what is deferred of its stream is delivered. */
  deferNotice(connection: Connection, notice: Notice) {
    this.deferOn(connection, (deferred) => deferred.addNotice(notice));
  }

  /**
   * Delivers all that is deferred on a connection, until it is live again. Called when a resume ends; `defer` and the others call it
   * themselves.
   */
  start(connection: Connection, deferred: DeferredStreams) {
    this.deliverPages(connection, deferred).catch((error: unknown) => {
      this.failures.log(error);
      connection.close('unavailable');
    });
  }

  /**
   * Delivers all that is deferred on a connection, or until it closes; on a connection that resumes, what it has missed.
   *
   * @param request is charged for the pages, which wait until its account can afford them; undefined if the connection does not resume
   */
  async deliverPages(connection: Connection, deferred: DeferredStreams, request?: FrameRequest): Promise<void> {
    const account = connection.authentication?.account;
    // Until the connection closes, or a resume replaces its deferred streams.
    const isCurrent = () => connection.isOpen && connection.deferred === deferred;
    while (account !== undefined && isCurrent() && !deferred.isDone) {
      if (request === undefined) await connection.flushed();
      else await readyForPage(request);
      await this.pageQueue.run(account, async () => {
        const bytes = await this.deliverPage(connection, account, deferred, isCurrent);
        request?.chargeAfterwards(priceOfPage(bytes));
      });
      if (isCurrent()) for (const { frame, ref } of deferred.removeDueNotices()) connection.write(frame, ref);
    }
    // A resume ends its own deferral.
    if (isCurrent() && !deferred.isResuming) connection.endDeferral();
  }

  /** @param add returns false if too much is deferred; then the connection is closed */
  private deferOn(connection: Connection, add: (deferred: DeferredStreams) => boolean) {
    const isLive = connection.deferred === undefined;
    const deferred = connection.deferred ?? connection.defer(this.cursor.value, { isResuming: false });
    if (!add(deferred)) connection.close('consumerTooSlow');
    if (isLive) this.start(connection, deferred);
  }

  /** @returns how many bytes are written */
  private async deliverPage(
    connection: Connection,
    account: string,
    deferred: DeferredStreams,
    isCurrent: () => boolean,
  ): Promise<number> {
    const next = isCurrent() ? deferred.next(maxPageEntries) : [];
    if (next.length === 0) return 0;
    const page = await this.store.findPage(next, maxPageTextBytes);
    if (!isCurrent()) return 0;
    const ranges = new Map(next.map(({ stream, range }) => [stream, range]));
    let bytes = 0;
    for (const entry of page) {
      const range = ranges.get(entry.stream);
      if (range === undefined) continue;
      const { joins, leaves } = subscriptionChangesOf(entry);
      range.isSubscribed ||= joins.includes(account);
      bytes += this.write(connection, deferred, entry, range.isSubscribed ? account : undefined);
      range.isSubscribed &&= !leaves.includes(account);
    }
    // Entries that are gone are left out. The size limit may have cut the page after the last entry: later ranges stay deferred.
    const last = page.at(-1);
    for (const { stream, to } of next) {
      connection.noteDelivered(stream, stream === last?.stream ? last.seq : to);
      deferred.putLast(stream);
      if (stream === last?.stream) break;
    }
    return bytes;
  }

  /**
   * Writes the events of an entry for the account, after the notices that precede it: once per request that the entry replies to,
   * otherwise once.
   *
   * @param account undefined: writes only notices
   * @returns how many bytes are written
   */
  private write(connection: Connection, deferred: DeferredStreams, entry: Entry, account: string | undefined): number {
    const position = { stream: entry.stream, seq: entry.seq, cursor: deferred.cursor };
    for (const notice of deferred.removeNoticesBefore(position)) connection.write(notice.frame, notice.ref);
    const requests = deferred.removeRequests(position);
    const events = account === undefined ? [] : eventsOf(entry).filter(({ to }) => isRecipient(to, account));
    const frames = events.map(({ type, payload }) => new ServerFrame(type, payload, position));
    const refs = requests.length === 0 ? [undefined] : requests.map(({ ref }) => ref);
    let bytes = 0;
    for (const ref of refs) for (const frame of frames) bytes += connection.write(frame, ref);
    return bytes;
  }
}

/**
 * Resolves when the connection of a request has nothing unsent, and its account can afford another page and frames of its other
 * connections; or when the connection is closed.
 */
export async function readyForPage(request: FrameRequest): Promise<void> {
  await request.connection.flushed();
  while (request.connection.isOpen) {
    const ms = request.affordableInMs(affordableBeforePage);
    if (ms <= 0) return;
    await delay(Math.min(ms, maxCheckIntervalMs));
  }
}
