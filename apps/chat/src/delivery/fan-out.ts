import { Injectable } from '@nestjs/common';
import { inChildSpan } from '@waggle/service';
import { eventsOf, isByName, isRecipient, type ChatEvent, type Entry, type Position } from '../log/entry';
import { type Connection } from '../realtime/connection';
import { Connections } from '../realtime/connections';
import { type FrameRequest } from '../realtime/frame-request';
import { ServerFrame } from '../realtime/server-frame';
import { RealtimeMetrics } from '../realtime/realtime.metrics';
import { CatchUp, type FollowingFrame } from './catch-up';
import { Cursor } from './cursor';
import { type EphemeralEvent, orderOf } from './ephemeral-events';
import { PendingReplies, type PendingReply } from './pending-replies';
import { type Stream } from './stream';

/** A frame of an entry, and what decides whether it is written to a connection of an account. */
interface LiveFrame {
  readonly frame: ServerFrame;
  readonly entry: Entry;
  /** The account or conversation that the unsent bytes of the frame count for. */
  readonly sender: string;
  /** Whether the subscription of the account is confirmed. */
  readonly isConfirmed: boolean;
}

/** The replies to the requests that caused an entry. */
interface EntryReplies {
  readonly pending: readonly PendingReply[];
  /** Those that were written. */
  readonly written: Set<PendingReply>;
}

/** Writes events to the connections that accounts have to this instance. */
@Injectable()
export class FanOut {
  constructor(
    private readonly connections: Connections,
    private readonly catchUp: CatchUp,
    private readonly pending: PendingReplies,
    private readonly cursor: Cursor,
    private readonly metrics: RealtimeMetrics,
  ) {}

  /**
   * Writes an entry to the connections of its subscribers, each with the `ref` of the first pending request of the
   * account on this connection. Connections that are behind or slow catch up with it instead.
   *
   * @throws Error if the entry cannot be serialized. Then no connection has received any of it.
   */
  deliver(entry: Entry, stream: Stream): void {
    const pending = this.pending.of(entry);
    inChildSpan(pending[0]?.request.traceContext, 'deliver', () => {
      this.write(entry, stream, pending);
    });
  }

  private write(entry: Entry, stream: Stream, pending: readonly PendingReply[]): void {
    const position = { stream: entry.stream, seq: entry.seq, cursor: this.cursor.value };
    const sender = 'events' in entry ? entry.stream : entry.message.sender;
    const events = eventsOf(entry).map(({ type, payload, to, made, rich }) => ({
      to,
      frame: new ServerFrame(type, payload, { ...position, ...made }, rich),
    }));
    const replies: EntryReplies = { pending, written: new Set() };
    for (const { frame, to } of events) {
      let deliveries = 0;
      for (const account of subscribersAmong(to, entry.seq, stream)) {
        const isConfirmed = stream.subscribers.isConfirmed(account);
        deliveries += this.writeToAccount(account, { frame, entry, sender, isConfirmed }, replies);
      }
      this.metrics.deliveries.add(deliveries, frame.type);
    }
    if (replies.written.size > 0) this.pending.take(entry, (reply) => replies.written.has(reply));
  }

  /** Writes a frame to the connections of an account. @returns how many receive it, now or when they catch up */
  private writeToAccount(account: string, live: LiveFrame, { pending, written }: EntryReplies): number {
    let deliveries = 0;
    for (const connection of this.connections.ofAccount(account)) {
      if (!connection.receives(live.frame.type)) continue;
      deliveries += 1;
      // A connection that has authenticated as another account may have pending requests of the former one.
      const reply = pending.find(({ request }) => request.connection === connection && request.account === account);
      const isWritten = this.writeUnlessBehind(connection, live, reply?.request.ref);
      if (isWritten && reply !== undefined) written.add(reply);
    }
    return deliveries;
  }

  /**
   * Writes an event that is not stored: to accounts that are listed by name, whether or not they are subscribed; or to
   * the subscribers that its filter selects.
   *
   * @param origin its connection receives the event as the reply
   * @param after as for `Delivery.broadcast`
   */
  broadcast(event: EphemeralEvent, subscribers: readonly string[], origin?: FrameRequest, after = 0): void {
    const { type, payload, rich, to } = event;
    const frame = new ServerFrame(type, payload, undefined, rich);
    const order = orderOf(event);
    const recipients = isByName(to) ? new Set(to) : subscribers.filter((account) => isRecipient(to, account));
    let deliveries = 0;
    for (const account of recipients) {
      for (const connection of this.connections.ofAccount(account)) {
        if (!connection.receives(type)) continue;
        deliveries += 1;
        if (order === undefined) this.writeOrDrop(connection, frame);
        else if (connection === origin?.connection)
          this.writeReply(connection, { stream: order.stream, after, frame, ref: origin.ref });
        else this.writeInOrder(connection, { ...order, after, frame });
      }
    }
    this.metrics.deliveries.add(deliveries, type);
  }

  /** Lets all connections of an account catch up with a stream from a sequence number on. */
  fallBehind(account: string, from: Position): void {
    for (const connection of this.connections.ofAccount(account)) this.catchUp.fallBehind(connection, from);
  }

  /** Writes a pending reply at once, on the connection of its request. */
  reply({ entry, request }: PendingReply): void {
    // It may have authenticated as another account since.
    if (request.connection.authentication?.account === request.account)
      this.writeEntry(request.connection, entry, request);
  }

  /**
   * Writes a reply to an account that is not subscribed: on the connection of the request and, unless that is repeated,
   * on the others that the account had when it sent the request. Connections that were opened later have fetched a
   * newer state.
   */
  replyToAll({ entry, request, isRepeated }: PendingReply): void {
    for (const connection of this.connections.ofAccount(request.account)) {
      if (connection !== request.connection) {
        if (isRepeated || connection.openedAtMs >= request.receivedAtMs) continue;
        // It receives the entry by catching up.
        if (this.catchUp.findBehind(connection)?.streams.has(entry.stream) === true) continue;
      }
      this.writeEntry(connection, entry, request);
    }
  }

  /** Closes the connections of an account. Its client connects again and reads what it has missed. */
  close(account: string): void {
    for (const connection of this.connections.ofAccount(account)) connection.close('unavailable');
  }

  /** Closes all connections of this instance. @returns how many there were */
  closeAll(): number {
    const { size } = this.connections;
    for (const connection of this.connections.all()) connection.close('unavailable');
    return size;
  }

  /** Writes an entry to a connection that is live in its stream. @returns false if it catches up with the entry */
  private writeUnlessBehind(
    connection: Connection,
    { frame, entry, sender, isConfirmed }: LiveFrame,
    ref: FrameRequest['ref'] | undefined,
  ): boolean {
    const behind = this.catchUp.findBehind(connection);
    if (behind?.streams.has(entry.stream) === true) return false;
    const isLive = isConfirmed && behind?.isResuming !== true;
    if (isLive && connection.tryWrite(frame, sender, ref, behind?.cursor)) return true;
    this.catchUp.fallBehind(connection, entry);
    return false;
  }

  /** Writes the events of an entry for the account of a request, with its `ref` if it came on this connection. */
  private writeEntry(connection: Connection, entry: Entry, request: FrameRequest): void {
    const position = { stream: entry.stream, seq: entry.seq, cursor: this.catchUp.cursorOf(connection) };
    const ref = connection === request.connection ? request.ref : undefined;
    for (const { type, payload, to, made, rich } of eventsOf(entry)) {
      if (isRecipient(to, request.account) && connection.receives(type))
        connection.write(new ServerFrame(type, payload, { ...position, ...made }, rich), ref);
    }
  }

  /** Writes a droppable event if the connection is live and its client keeps up. */
  private writeOrDrop(connection: Connection, frame: ServerFrame): void {
    if (this.catchUp.findBehind(connection) === undefined) connection.writeDroppable(frame);
  }

  /** Writes an event that is a reply, as soon as the connection has received the entry that it follows. */
  private writeReply(connection: Connection, following: FollowingFrame): void {
    if (this.catchUp.mustWait(connection, following)) this.catchUp.writeLater(connection, following);
    else connection.write(following.frame, following.ref);
  }

  /** Writes an event as soon as the connection has room for it and has received the entry that it follows. */
  private writeInOrder(connection: Connection, following: FollowingFrame): void {
    const mustWait = this.catchUp.mustWait(connection, following);
    if (mustWait || !connection.tryWrite(following.frame, following.stream))
      this.catchUp.writeLater(connection, following);
  }
}

/** Returns the recipients of an event that are subscribed to its entry. */
function subscribersAmong(to: ChatEvent['to'], seq: number, stream: Stream): string[] {
  const isSubscribed = (account: string) => stream.subscribers.receives(account, seq);
  if (isByName(to)) return [...new Set(to)].filter(isSubscribed);
  if (to.only !== undefined) return [to.only].filter(isSubscribed);
  return stream.subscribers.at(seq).filter((account) => account !== to.except);
}
