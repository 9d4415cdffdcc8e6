import { Injectable } from '@nestjs/common';
import { type ServerPayload } from '@waggle/contracts';
import { KeyedLimiter } from '@waggle/service';
import { priceOfPage, resumePrice } from '../realtime/frame-prices';
import { RateLimitExceeded } from '../errors';
import { type Connection } from '../realtime/connection';
import { type FrameRequest } from '../realtime/frame-request';
import { ServerFrame } from '../realtime/server-frame';
import { type EntryRange } from '../log/entry';
import { maxLeaves } from '../log/catch-up.statements';
import { type AcknowledgedConversation, CatchUpStore } from '../log/catch-up.store';
import { TimelineStore } from '../log/timeline.store';
import { CatchUp, readyForPage, type Behind } from './catch-up';
import { Cursor, maxCursorAgeMs, parseCursor, type DecodedCursor } from './cursor';
import { OpenStreams } from './open-streams';

/** A client that is behind by more entries than this has to fetch its state instead. */
const maxBehind = 5_000;
/** The same for conversations that were marked as read on other devices. */
const maxAcknowledged = 1_000;
/**
 * Maximum time that a resume waits for other resumes of its account, in milliseconds: less than the 10 s after which
 * clients close a connection on which nothing arrives.
 */
const maxWaitMs = 5_000;
/** Receipts that are read at once: about 64 KiB of frames. */
const receiptsPerPage = 500;
/** Maximum time that a cursor may be ahead of the local clock, in milliseconds. */
const maxAheadMs = 60_000;

type Failure = ServerPayload<'resume-failed'>['reason'];

/** `complete`: everything since the cursor was delivered, unless the connection was closed. */
type Outcome = 'complete' | Failure;

/** A connection that resumes. */
interface Resume {
  /** The connection's `authenticate` frame, which is charged. */
  request: FrameRequest;
  account: string;
  behind: Behind;
}

/**
 * Lets a connection that resumes catch up with the entries since its cursor. Meanwhile nothing is
 * delivered to it live.
 */
@Injectable()
export class Resumption {
  private readonly queue = new KeyedLimiter(
    { maxRunning: 1, maxWaitMs },
    () => new RateLimitExceeded('other connections of the account are resuming', maxWaitMs),
  );

  constructor(
    private readonly store: CatchUpStore,
    private readonly catchUp: CatchUp,
    private readonly streams: OpenStreams,
    private readonly cursor: Cursor,
    private readonly timelines: TimelineStore,
  ) {}

  /**
   * Delivers the entries since a cursor, and replies with `resume-complete` or, if the client has to fetch its state,
   * `resume-failed`. Closes the connection after an error: otherwise the client would not notice that it is behind.
   *
   * @param request the `authenticate` frame
   * @param account which it has authenticated, and which is subscribed to its streams already
   * @throws RateLimitExceeded if other connections of the account resume for too long
   */
  async resume(request: FrameRequest, account: string, since: string): Promise<void> {
    const { connection } = request;
    const reached = this.cursor.value;
    const decoded = decodeUsable(since);
    if (typeof decoded === 'string') {
      request.reply('resume-failed', { reason: decoded, cursor: reached });
      return;
    }
    // Until all of it is delivered, a client that has received a part holds the cursor that it came with.
    const behind = this.catchUp.beginResume(connection, since);
    request.mayBeCutOff = true;
    try {
      // It was affordable before the subscriptions of the account were charged.
      request.chargeAfterwards(resumePrice);
      await this.queue.run(account, async () => {
        const outcome = await this.deliverOnTimeline({ request, account, behind }, decoded);
        if (!connection.isOpen) return;
        if (outcome === 'complete') request.reply('resume-complete', { cursor: reached });
        else request.reply('resume-failed', { reason: outcome, cursor: reached });
        this.catchUp.endResume(connection, behind, reached);
      });
    } catch (error) {
      // `FramePump` closes the connection for this one.
      if (!(error instanceof RateLimitExceeded)) connection.close('unavailable');
      throw error;
    } finally {
      request.mayBeCutOff = false;
    }
  }

  /**
   * Rejects a cursor of another timeline: entries that were delivered before it may be lost, or have other sequence
   * numbers.
   */
  private async deliverOnTimeline(resume: Resume, { instant, timeline }: DecodedCursor): Promise<Outcome> {
    if (!(await this.isCurrent(timeline))) return 'invalid';
    const outcome = await this.deliver(resume, instant);
    // Another database may have taken over meanwhile.
    return outcome === 'complete' && !(await this.isCurrent(timeline)) ? 'invalid' : outcome;
  }

  private async isCurrent(timeline: string): Promise<boolean> {
    return (await this.timelines.read()).id === timeline;
  }

  /** Delivers everything since an instant, as long as the connection is open. */
  private async deliver(resume: Resume, since: Date): Promise<Outcome> {
    const { request, account, behind } = resume;
    const { connection } = request;
    if (!connection.isOpen) return 'complete';
    // Before the entries, which then contain all that is acknowledged.
    const acknowledged = await this.store.findAcknowledged(account, since, maxAcknowledged + 1);
    const { ranges, entries } = await this.store.findSince(account, since, maxBehind + 1);
    if (entries > maxBehind || hasLeftTooOften(ranges) || acknowledged.length > maxAcknowledged) return 'too-much';
    const lasts = new Map<string, number>();
    for (const { stream, to } of ranges) lasts.set(stream, Math.max(to, lasts.get(stream) ?? 0));
    for (const stream of lasts.keys()) behind.streams.delete(stream);
    for (const { stream, from: seq } of ranges) this.catchUp.fallBehind(connection, { stream, seq });
    for (const each of acknowledged) this.writeAcknowledged(connection, each);
    // So that all of it is delivered here, to subscriptions that are known.
    await this.streams.readToEnd(account);
    await this.streams.readUpTo(Array.from(lasts, ([stream, seq]) => ({ stream, seq })));
    const isDone = () => [...lasts].every(([stream, seq]) => (behind.streams.get(stream) ?? Infinity) > seq);
    await this.catchUp.deliverPages(connection, behind, isDone, request);
    this.catchUp.writeDue(connection, behind);
    if (connection.has('receipts')) await this.deliverReceipts(resume, since);
    return 'complete';
  }

  /** A client that does not know read positions takes everything before the frame `acknowledged` for read. */
  private writeAcknowledged(
    connection: Connection,
    { seq: after, position, mentionCount, isPartial }: AcknowledgedConversation,
  ): void {
    const stream = position.conversation_id;
    const write = (kind: string, frame: ServerFrame): void => {
      this.catchUp.writeLater(connection, { stream, after, frame, kind });
    };
    if (!isPartial) write('acknowledged', new ServerFrame('acknowledged', { conversation_id: stream }));
    const rich = { mention_count: mentionCount };
    if (connection.has('read-position'))
      write('read-position', new ServerFrame('read-position', position, undefined, rich));
  }

  /** Delivers receipts in pages, which wait for the client and are charged as those of entries. */
  private async deliverReceipts({ request, account }: Resume, since: Date): Promise<void> {
    const { connection } = request;
    let after = '';
    do {
      await readyForPage(request);
      if (!connection.isOpen) return;
      const receipts = await this.store.findReceipts(account, since, { after, limit: receiptsPerPage });
      let bytes = 0;
      for (const receipt of receipts) bytes += connection.write(new ServerFrame('messages-read', receipt));
      request.chargeAfterwards(priceOfPage(bytes));
      // Only a full page has a next one.
      after = receipts[receiptsPerPage - 1]?.conversation_id ?? '';
    } while (after !== '');
  }
}

/** Whether an account has left one conversation more than `maxLeaves` times. */
function hasLeftTooOften(ranges: readonly EntryRange[]): boolean {
  const leaves = new Map<string, number>();
  for (const { stream, hasLeft } of ranges) if (hasLeft) leaves.set(stream, (leaves.get(stream) ?? 0) + 1);
  return Math.max(0, ...leaves.values()) > maxLeaves;
}

function decodeUsable(cursor: string, nowMs = Date.now()): DecodedCursor | Failure {
  const decoded = parseCursor(cursor);
  if (decoded === undefined || decoded.instant.getTime() > nowMs + maxAheadMs) return 'invalid';
  return nowMs - decoded.instant.getTime() > maxCursorAgeMs ? 'expired' : decoded;
}
