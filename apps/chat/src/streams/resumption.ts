import { Injectable } from '@nestjs/common';
import { type ServerPayload } from '@waggle/contracts';
import { resumePrice } from '../rate-limits/frame-price';
import { type Connection } from '../realtime/connection';
import { type FrameRequest } from '../realtime/frame-request';
import { ServerFrame } from '../realtime/frames';
import { Cursor, cursorMostMs, instantOf } from './cursor';
import { eventsOf, isToldTo, type Entry } from './entry';
import { MissedStore, type Acknowledged } from './missed.store';

/** More entries than these are fetched anew rather than told one by one. */
const missedMost = 5_000;
/** So many are read at once: whoever reads slowly is not kept more in memory. */
const readAtOnce = 100;
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

  /**
   * Where it cannot be done to the end the connection is closed, and nothing later is told on it: the client would take what
   * is missing for told.
   *
   * @param request the `authenticate` that asks for it; the connection hears its streams already
   */
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
      request.charge(resumePrice);
      const failure = await this.backfill(connection, request.caller.account, { instant, cursor: since });
      if (!connection.isOpen) return;
      if (failure === undefined) connection.sendPast('resume-complete', { cursor: reached }, request.ref);
      else connection.sendPast('resume-failed', { reason: failure, cursor: reached }, request.ref);
      connection.release();
    } catch (error) {
      connection.close('unavailable');
      throw error;
    }
  }

  private async backfill(
    connection: Connection,
    account: string,
    { instant, cursor }: { instant: Date; cursor: string },
  ): Promise<Failure | undefined> {
    const { acknowledged, cameBack } = await this.store.findOwn(account, instant);
    if (cameBack) return 'too-much';
    const places = await this.store.findPlaces(account, instant, missedMost + 1);
    if (places.length > missedMost) return 'too-much';
    const receipts = connection.has('receipts') ? await this.store.findReceipts(account, instant) : [];
    const acknowledgments = new Acknowledgments(acknowledged, connection);
    for (let begin = 0; begin < places.length; begin += readAtOnce) {
      for (const entry of await this.store.findEntries(places.slice(begin, begin + readAtOnce))) {
        acknowledgments.tellBefore(entry);
        // Until all of it is told, whoever has received a part holds the cursor that it came with.
        this.tell(connection, account, entry, cursor);
        await connection.drained();
        if (!connection.isOpen) return undefined;
      }
    }
    acknowledgments.tellAll();
    for (const receipt of receipts) connection.sendPast('messages-read', receipt);
    return undefined;
  }

  private tell(connection: Connection, account: string, entry: Entry, cursor: string) {
    const place = { stream: entry.stream, seq: entry.seq, cursor };
    for (const { type, payload, to } of eventsOf(entry)) {
      if (isToldTo(to, account)) connection.writePast(new ServerFrame(type, payload, place));
    }
    connection.tellAfter(entry.stream, entry.seq);
  }
}

/** What was acknowledged on other devices, told after what it is of and before what came later. */
class Acknowledgments {
  private readonly untold: Map<string, number>;

  constructor(
    acknowledged: readonly Acknowledged[],
    private readonly connection: Connection,
  ) {
    this.untold = new Map(acknowledged.map(({ conversationId, seq }) => [conversationId, seq]));
  }

  tellBefore({ stream, seq }: Entry) {
    const upTo = this.untold.get(stream);
    if (upTo !== undefined && seq > upTo) this.tell(stream);
  }

  tellAll() {
    for (const conversationId of this.untold.keys()) this.tell(conversationId);
  }

  private tell(conversation_id: string) {
    this.untold.delete(conversation_id);
    this.connection.sendPast('acknowledged', { conversation_id });
  }
}

function usableInstantOf(cursor: string, nowMs = Date.now()): Date | Failure {
  const instant = instantOf(cursor);
  if (instant === undefined || instant.getTime() > nowMs + aheadMostMs) return 'invalid';
  return nowMs - instant.getTime() > cursorMostMs ? 'expired' : instant;
}
