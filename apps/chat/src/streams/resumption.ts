import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { type ServerPayload } from '@waggle/contracts';
import { ServiceError } from '@waggle/service';
import { pageReserve, priceOfPage, resumePrice } from '../rate-limits/frame-price';
import { RateLimitExceeded } from '../rate-limits/rate-limit-exceeded';
import { type Connection } from '../realtime/connection';
import { type FrameRequest } from '../realtime/frame-request';
import { ServerFrame } from '../realtime/frames';
import { Cursor, cursorMostMs, instantOf } from './cursor';
import { eventsOf, isToldTo, type Entry } from './entry';
import { MissedStore, type Acknowledged } from './missed.store';
import { ResumeQueue } from './resume-queue';

/** More entries than these are fetched anew rather than told one by one. */
const missedMost = 5_000;
/**
 * The longest page that is read at once, in entries and in bytes of their texts, beyond which it ends: what is read is kept in
 * memory until the client has taken it.
 */
const maxPageEntries = 100;
const maxPageBytes = 128 * 1_024;
/** A cursor may be so far ahead of our clock. */
const aheadMostMs = 60_000;

type Failure = ServerPayload<'resume-failed'>['reason'];

/**
 * Tells a connection that comes back what its account has missed: backfill (what the database has since the cursor), then
 * cutover (what happened meanwhile and was held back, without what the backfill had), then live.
 */
@Injectable()
export class Resumption {
  private readonly queue = new ResumeQueue();

  constructor(
    private readonly store: MissedStore,
    private readonly cursor: Cursor,
  ) {}

  /**
   * Where it cannot be done to the end the connection is closed, and nothing later is told on it: the client would take what
   * is missing for told.
   *
   * @param request the `authenticate` that asks for it; the connection hears its streams already
   * @throws RateLimitExceeded if the account resumes too often, or too many of its connections do
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
      await this.queue.run(request.caller.account, async () => {
        const failure = await this.backfill(request, { instant, cursor: since });
        if (!connection.isOpen) return;
        if (failure === undefined) connection.sendPast('resume-complete', { cursor: reached }, request.ref);
        else connection.sendPast('resume-failed', { reason: failure, cursor: reached }, request.ref);
        connection.release();
      });
    } catch (error) {
      if (isRateLimited(error)) throw new RateLimitExceeded(error.message, error.details.retryAfterMs ?? 1_000);
      connection.close('unavailable');
      throw error;
    }
  }

  private async backfill(
    request: FrameRequest,
    { instant, cursor }: { instant: Date; cursor: string },
  ): Promise<Failure | undefined> {
    const { connection, caller } = request;
    const { account } = caller;
    const { acknowledged, cameBack } = await this.store.findOwn(account, instant);
    if (cameBack) return 'too-much';
    const places = await this.store.findPlaces(account, instant, missedMost + 1);
    if (places.length > missedMost) return 'too-much';
    const receipts = connection.has('receipts') ? await this.store.findReceipts(account, instant) : [];
    const acknowledgments = new Acknowledgments(acknowledged, connection);
    for (let begin = 0; begin < places.length;) {
      await untilAffordable(request);
      if (!connection.isOpen) return undefined;
      const page = await this.store.findEntries(places.slice(begin, begin + maxPageEntries), maxPageBytes);
      let bytes = 0;
      for (const entry of page) {
        acknowledgments.tellBefore(entry);
        // Until all of it is told, whoever has received a part holds the cursor that it came with.
        bytes += this.tell(connection, account, entry, cursor);
        await connection.drained();
      }
      request.chargeAfterwards(priceOfPage(bytes));
      begin += page.length;
    }
    acknowledgments.tellAll();
    for (const receipt of receipts) connection.sendPast('messages-read', receipt);
    return undefined;
  }

  /** @returns how many bytes are written */
  private tell(connection: Connection, account: string, entry: Entry, cursor: string): number {
    const place = { stream: entry.stream, seq: entry.seq, cursor };
    let bytes = 0;
    for (const { type, payload, to } of eventsOf(entry)) {
      if (isToldTo(to, account)) bytes += connection.writePast(new ServerFrame(type, payload, place));
    }
    connection.tellAfter(entry.stream, entry.seq);
    return bytes;
  }
}

/** Resolves when the account can afford another page, and its other connections to send meanwhile. */
async function untilAffordable(request: FrameRequest): Promise<void> {
  for (let ms = request.affordableInMs(pageReserve); ms > 0; ms = request.affordableInMs(pageReserve)) await delay(ms);
}

function isRateLimited(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.code === 'rate-limited';
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
