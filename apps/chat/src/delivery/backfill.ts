import { Inject, Injectable } from '@nestjs/common';
import { type FrameReference } from '@waggle/contracts';
import { LOGGER, type Logger, ThrottledLog } from '@waggle/service';
import { type Connection } from '../realtime/connection';
import { type DeferredStreams } from '../realtime/deferred-streams';
import { ServerFrame } from '../realtime/frames';
import { AccountQueue } from './account-queue';
import { Cursor } from './cursor';
import { eventsOf, isRecipient, membershipChangesOf, type Entry } from '../log/entry';
import { MissedStore } from '../log/missed.store';

/**
 * Maximum size of a page, in entries and in bytes of their texts: it is in memory until the client has received it. Deferred streams
 * of a connection take turns, page by page.
 */
export const maxPageEntries = 100;
export const maxPageBytes = 64 * 1_024;

/** Entries of a stream that an account is subscribed to at the first of them, both ends included. */
export interface EntryRange {
  stream: string;
  from: number;
  to: number;
  /** Whether the account leaves the stream with the last entry. */
  hasLeft: boolean;
}

/**
 * Delivers entries from the database to a connection that is behind: backfill (pages of what was deferred), cutover (when nothing is
 * left of a stream, in the same turn of the event loop as its last page is written), then live again.
 */
@Injectable()
export class Backfill {
  /** The pages of one account are read one after another: it keeps no more than one connection to the database busy. */
  private readonly pages = new AccountQueue();
  private readonly failures: ThrottledLog;

  constructor(
    private readonly store: MissedStore,
    private readonly cursor: Cursor,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.failures = new ThrottledLog((leftOut, err) => {
      logger.error({ err, leftOut }, 'cannot read what was deferred on a connection');
    });
  }

  /**
   * Delivers an entry later, and all later ones of its stream until then.
   *
   * @param hasLeft whether the account leaves the stream with it
   */
  defer(connection: Connection, { stream, seq }: Entry, ref: FrameReference | undefined, hasLeft: boolean) {
    this.deferOn(connection, (deferred) => {
      if (!deferred.add(stream, seq, ref, hasLeft)) connection.close('consumerTooSlow');
    });
  }

  /**
   * Delivers a range of a stream, without what the connection has been delivered when it resumed, and later entries of it until that
   * is done.
   *
   * @param refs the connection's own references of the requests that entries reply to, by sequence number
   */
  deferRange(connection: Connection, range: EntryRange, refs: ReadonlyMap<number, FrameReference>) {
    const from = Math.max(range.from, connection.resumedUpTo(range.stream) + 1);
    if (from > range.to) return;
    this.deferOn(connection, (deferred) => {
      deferred.addRange({ ...range, from }, refs);
    });
  }

  /**
   * Delivers a frame later that is not durable, behind what is deferred of its stream.
   *
   * @param kind a later frame of the same kind and stream replaces it
   */
  deferNotice(connection: Connection, stream: string, frame: ServerFrame, kind: string) {
    this.deferOn(connection, (deferred) => {
      deferred.addNotice(stream, frame, kind);
    });
  }

  /** Delivers all that is deferred on a connection, until it is live again. */
  start(connection: Connection, deferred: DeferredStreams) {
    this.run(connection, deferred).catch((error: unknown) => {
      this.failures.log(error);
      connection.close('unavailable');
    });
  }

  /**
   * Writes the events of an entry that the account is to be delivered, behind the notices that precede it.
   *
   * @returns how many bytes are written
   */
  write(connection: Connection, deferred: DeferredStreams, entry: Entry, account: string, isSubscribed = true): number {
    const position = { stream: entry.stream, seq: entry.seq, cursor: deferred.cursor };
    for (const notice of deferred.takeNoticesBefore(position)) connection.write(notice);
    const ref = deferred.takeRef(position);
    let bytes = 0;
    for (const { type, payload, to } of eventsOf(entry)) {
      if (isSubscribed && isRecipient(to, account))
        bytes += connection.write(new ServerFrame(type, payload, position), ref);
    }
    return bytes;
  }

  private deferOn(connection: Connection, add: (deferred: DeferredStreams) => void) {
    const { deferred } = connection;
    if (deferred !== undefined) {
      add(deferred);
      return;
    }
    const begun = connection.defer(this.cursor.value, false);
    add(begun);
    this.start(connection, begun);
  }

  private async run(connection: Connection, deferred: DeferredStreams): Promise<void> {
    const account = connection.authentication?.account;
    // Until it is another's, or resumes.
    const isCurrent = () => connection.isOpen && connection.deferred === deferred;
    while (account !== undefined && isCurrent()) {
      if (deferred.isEmpty) {
        connection.endDeferral();
        return;
      }
      await connection.flushed();
      await this.pages.run(account, async () => {
        if (isCurrent()) await this.deliverPage(connection, account, deferred, isCurrent);
      });
      if (isCurrent()) for (const notice of deferred.takeDueNotices()) connection.write(notice);
    }
  }

  private async deliverPage(
    connection: Connection,
    account: string,
    deferred: DeferredStreams,
    isCurrent: () => boolean,
  ): Promise<void> {
    const next = deferred.next();
    if (next === undefined) return;
    const { stream, range } = next;
    const { from, to } = range;
    const page = await this.store.findPage({ stream, from, to }, { entries: maxPageEntries, bytes: maxPageBytes });
    if (!isCurrent()) return;
    for (const entry of page) {
      const { joins, leaves } = membershipChangesOf(entry);
      range.isSubscribed ||= joins.includes(account);
      this.write(connection, deferred, entry, account, range.isSubscribed);
      range.isSubscribed &&= !leaves.includes(account);
    }
    // Entries that are gone are left out. What has been added meanwhile is read next.
    deferred.noteDelivered(stream, page.at(-1)?.seq ?? to);
    deferred.putLast(stream);
  }
}
