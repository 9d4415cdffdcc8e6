import { Injectable } from '@nestjs/common';
import { extendedServerFrames, type Capability, type FrameReference, type ServerFrameType } from '@waggle/contracts';
import { type Connection } from '../realtime/connection';
import { Connections } from '../realtime/connections';
import { type FrameRequest } from '../realtime/frame-request';
import { ServerFrame, type Place } from '../realtime/frames';
import { RealtimeMetrics } from '../realtime/realtime.metrics';
import { Backfill } from './backfill';
import { Cursor } from './cursor';
import { isToldTo, movesIn, type ChatEvent, type Entry } from './entry';

/** Writes events to the connections that accounts have at this instance. */
@Injectable()
export class Teller {
  constructor(
    private readonly connections: Connections,
    private readonly cursor: Cursor,
    private readonly metrics: RealtimeMetrics,
    private readonly backfill: Backfill,
  ) {}

  /**
   * @param hearers whoever hears the stream
   * @param entry that the event is of, where it is durable
   * @param cause the request that caused it: its connection gets the event with the request's `ref`
   * @returns whether the connection of that request is delivered the event
   */
  tell(event: ChatEvent, hearers: ReadonlySet<string>, entry?: Entry, cause?: FrameRequest): boolean {
    const { type, payload, to } = event;
    const frame = new ServerFrame(type, payload, entry && this.placed(entry));
    const needed = neededFor(type);
    let deliveries = 0;
    let hasReplied = false;
    for (const account of recipientsOf(to, hearers)) {
      for (const connection of this.connections.ofAccount(account)) {
        if (needed !== undefined && !connection.has(needed)) continue;
        const ref = connection === cause?.connection ? cause.ref : undefined;
        if (entry === undefined) this.writeEphemeral(connection, frame, event, cause);
        // What names the account though it hears nothing else of the stream waits for nothing.
        else if (!hearers.has(account)) connection.write(frame, ref);
        else this.write(connection, frame, entry, account, ref);
        deliveries += 1;
        hasReplied ||= connection === cause?.connection;
      }
    }
    this.metrics.deliveries.add(deliveries, type);
    return hasReplied;
  }

  /** Tells the connection of a request alone, where its account is among those who heard of the event. */
  answer({ type, payload, to }: ChatEvent, entry: Entry, { connection, ref, caller }: FrameRequest) {
    const { account } = caller;
    if (!isToldTo(to, account)) return;
    // Though it was told already: it is the answer.
    connection.write(new ServerFrame(type, payload, this.placed(entry)), ref);
  }

  /** Writes an entry at once where there is room for what its sender sends, else later. */
  private write(
    connection: Connection,
    frame: ServerFrame,
    entry: Entry,
    account: string,
    ref: FrameReference | undefined,
  ) {
    if (connection.hasDelivered(entry)) {
      // As an answer all the same.
      if (ref !== undefined) connection.write(frame, ref);
      return;
    }
    const isDeferred = connection.deferred?.defers(entry.stream) === true;
    if (!isDeferred && connection.offer(frame, senderOf(entry), ref)) return;
    this.backfill.defer(connection, entry, ref, movesIn(entry).leaves.includes(account));
  }

  private writeEphemeral(
    connection: Connection,
    frame: ServerFrame,
    { type, payload }: ChatEvent,
    cause: FrameRequest | undefined,
  ) {
    if (frame.isHint) {
      connection.hint(frame);
    } else if (connection === cause?.connection) {
      connection.write(frame, cause.ref);
    } else if ('conversation_id' in payload && payload.conversation_id !== null) {
      const stream = payload.conversation_id;
      if (connection.deferred === undefined && connection.offer(frame, stream)) return;
      this.backfill.deferNotice(
        connection,
        stream,
        frame,
        'username' in payload ? `${type} ${payload.username}` : type,
      );
    } else {
      connection.write(frame);
    }
  }

  private placed({ stream, seq }: Entry): Place {
    return { stream, seq, cursor: this.cursor.value };
  }
}

/** Whose share of what is unsent on a connection an entry takes. */
function senderOf(entry: Entry): string {
  return 'told' in entry ? entry.stream : entry.message.sender;
}

/** What a connection must have asked for to hear it. */
function neededFor(type: ServerFrameType): Capability | undefined {
  return isExtended(type) ? extendedServerFrames[type] : undefined;
}

function isExtended(type: ServerFrameType): type is keyof typeof extendedServerFrames {
  return type in extendedServerFrames;
}

function recipientsOf(to: ChatEvent['to'], hearers: ReadonlySet<string>): Iterable<string> {
  if (!('length' in to)) {
    if (to.only !== undefined) return hearers.has(to.only) ? [to.only] : [];
    if (to.except === undefined && to.also === undefined) return hearers;
    const accounts = new Set(hearers);
    if (to.also !== undefined) accounts.add(to.also);
    if (to.except !== undefined) accounts.delete(to.except);
    return accounts;
  }
  return to.length < 2 ? to : new Set(to);
}
