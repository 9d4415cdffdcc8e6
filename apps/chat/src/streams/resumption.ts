import { Injectable } from '@nestjs/common';
import { type ServerPayload } from '@waggle/contracts';
import { type Connection } from '../realtime/connection';
import { ServerFrame } from '../realtime/frames';
import { type FrameRequest } from '../realtime/frame-request';
import { Cursor, cursorMostMs, instantOf, toCursor } from './cursor';
import { eventsOf, isToldTo, type Entry } from './entry';
import { MissedStore } from './missed.store';

/** More entries than these are fetched anew rather than told one by one. */
const missedMost = 5_000;
/** A cursor may be so far ahead of our clock. */
const aheadMostMs = 60_000;

type Failure = ServerPayload<'resume-failed'>['reason'];

/**
 * Tells a connection that comes back what its account has missed: backfill (what the database has since the cursor), then
 * cutover (what happened meanwhile and was held back, without what the backfill had), then live.
 */
@Injectable()
export class Resumption {
  constructor(
    private readonly store: MissedStore,
    private readonly cursor: Cursor,
  ) {}

  /** @param request the `authenticate` that asks for it; the connection hears its streams already */
  async resume(request: FrameRequest, since: string): Promise<void> {
    const { connection } = request;
    const reached = this.cursor.value;
    const instant = usableInstantOf(since);
    if (typeof instant === 'string') {
      request.answer('resume-failed', { reason: instant, cursor: reached });
      return;
    }
    connection.hold();
    try {
      const isWhole = await this.backfill(connection, request.caller.account, instant);
      if (isWhole) connection.sendPast('resume-complete', { cursor: reached }, request.ref);
      else connection.sendPast('resume-failed', { reason: 'too-much', cursor: reached }, request.ref);
    } finally {
      connection.release();
    }
  }

  private async backfill(connection: Connection, account: string, since: Date): Promise<boolean> {
    const entries = await this.store.findEntries(account, since, missedMost + 1);
    if (entries.length > missedMost) return false;
    const [acknowledged, receipts] = await Promise.all([
      this.store.findAcknowledged(account, since),
      connection.has('receipts') ? this.store.findReceipts(account, since) : [],
    ]);
    // Until all of it is told, whoever has received a part holds the cursor that it came with.
    for (const entry of entries) {
      this.tell(connection, account, entry, toCursor(since));
      await connection.drained();
      if (!connection.isOpen) return true;
    }
    for (const conversation_id of acknowledged) connection.sendPast('acknowledged', { conversation_id });
    for (const receipt of receipts) connection.sendPast('messages-read', receipt);
    return true;
  }

  private tell(connection: Connection, account: string, entry: Entry, cursor: string) {
    const place = { stream: entry.stream, seq: entry.seq, cursor };
    for (const { type, payload, to } of eventsOf(entry)) {
      if (isToldTo(to, account)) connection.writePast(new ServerFrame(type, payload, place));
    }
    connection.tellAfter(entry.stream, entry.seq);
  }
}

function usableInstantOf(cursor: string, nowMs = Date.now()): Date | Failure {
  const instant = instantOf(cursor);
  if (instant === undefined || instant.getTime() > nowMs + aheadMostMs) return 'invalid';
  return nowMs - instant.getTime() > cursorMostMs ? 'expired' : instant;
}
