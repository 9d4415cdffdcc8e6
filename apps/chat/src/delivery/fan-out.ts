import { Injectable } from '@nestjs/common';
import { eventsOf, isByName, isRecipient, type ChatEvent, type Entry, type Position } from '../log/entry';
import { type Connection } from '../realtime/connection';
import { Connections } from '../realtime/connections';
import { type FrameRequest } from '../realtime/frame-request';
import { ServerFrame } from '../realtime/server-frame';
import { RealtimeMetrics } from '../realtime/realtime.metrics';
import { CatchUp, type FollowingFrame } from './catch-up';
import { Cursor } from './cursor';
import { type EphemeralEvent, orderOf } from './ephemeral-events';
import { Replies } from './replies';
import { type Stream } from './streams';

/** Writes events to the connections of accounts at this instance. */
@Injectable()
export class FanOut {
  constructor(
    private readonly connections: Connections,
    private readonly catchUp: CatchUp,
    private readonly replies: Replies,
    private readonly cursor: Cursor,
    private readonly metrics: RealtimeMetrics,
  ) {}

  /**
   * Writes an entry to its subscribers. The first pending request of each connection gets its events, with its `ref`.
   */
  deliver(entry: Entry, stream: Stream): void {
    const position = { stream: entry.stream, seq: entry.seq, cursor: this.cursor.value };
    const sender = 'events' in entry ? entry.stream : entry.message.sender;
    const requests = this.replies.of(entry);
    const answered = new Set<FrameRequest>();
    for (const { type, payload, to, made, rich } of eventsOf(entry)) {
      const frame = new ServerFrame(type, payload, { ...position, ...made }, rich);
      let deliveries = 0;
      for (const account of recipientsOf(to, entry.seq, stream)) {
        const isConfirmed = stream.isConfirmed(account);
        for (const connection of this.connections.ofAccount(account)) {
          if (!connection.receives(type)) continue;
          deliveries += 1;
          const own = requests.find((each) => each.connection === connection);
          // The connection may have authenticated as another account since.
          const request = own?.account === account ? own : undefined;
          if (!this.write(connection, frame, entry, { sender, isConfirmed, request })) continue;
          if (request !== undefined) answered.add(request);
        }
      }
      this.metrics.deliveries.add(deliveries, type);
    }
    if (answered.size > 0) this.replies.take(entry, (request) => answered.has(request));
  }

  /**
   * Writes an event that is not stored: to accounts that are listed by name, whether or not they are subscribed; or to
   * those of the subscribers that its filter selects.
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

  /** Writes the events of an entry for the account of a request at once, with its `ref` on its own connection. */
  reply(entry: Entry, request: FrameRequest, connection = request.connection): void {
    // It may have authenticated as another account since.
    if (connection.authentication?.account !== request.account) return;
    const position = { stream: entry.stream, seq: entry.seq, cursor: this.catchUp.cursorOf(connection) };
    const ref = connection === request.connection ? request.ref : undefined;
    for (const { type, payload, to, made, rich } of eventsOf(entry)) {
      if (isRecipient(to, request.account) && connection.receives(type))
        connection.write(new ServerFrame(type, payload, { ...position, ...made }, rich), ref);
    }
  }

  /**
   * Writes the events of an entry for an account that is not subscribed: on the connection of the request and, unless
   * it is repeated, on the others that the account had when it sent the request. Connections that were opened later
   * have fetched a newer state.
   */
  replyToAll(entry: Entry, request: FrameRequest): void {
    for (const connection of this.connections.ofAccount(request.account)) {
      const isOther = connection !== request.connection;
      if (isOther && (request.repliesHereOnly || connection.openedAtMs >= request.receivedAtMs)) continue;
      // It receives the entry by catching up.
      if (isOther && this.catchUp.of(connection)?.streams.has(entry.stream) === true) continue;
      this.reply(entry, request, connection);
    }
  }

  /** Closes the connections of an account, which then connects and reads what it has missed. */
  close(account: string): void {
    for (const connection of this.connections.ofAccount(account)) connection.close('unavailable');
  }

  /** Closes all connections of this instance. @returns how many there were */
  closeAll(): number {
    const { size } = this.connections;
    for (const connection of this.connections.all()) connection.close('unavailable');
    return size;
  }

  /**
   * Writes an entry to a live connection that has room for it. @returns false if the connection catches up with it
   * instead
   */
  private write(
    connection: Connection,
    frame: ServerFrame,
    entry: Entry,
    { sender, isConfirmed, request }: { sender: string; isConfirmed: boolean; request: FrameRequest | undefined },
  ): boolean {
    const behind = this.catchUp.of(connection);
    if (behind?.streams.has(entry.stream) === true) return false;
    if (isConfirmed && behind?.isResuming !== true && connection.tryWrite(frame, sender, request?.ref, behind?.cursor))
      return true;
    this.catchUp.fallBehind(connection, entry);
    return false;
  }

  /** Writes a droppable event if the connection is live and its client keeps up. */
  private writeOrDrop(connection: Connection, frame: ServerFrame): void {
    if (this.catchUp.of(connection) === undefined) connection.writeDroppable(frame);
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

function recipientsOf(to: ChatEvent['to'], seq: number, stream: Stream): string[] {
  const isSubscribed = (account: string) => stream.isSubscribed(account, seq);
  if (isByName(to)) return [...new Set(to)].filter(isSubscribed);
  if (to.only !== undefined) return [to.only].filter(isSubscribed);
  return stream.subscribersAt(seq).filter((account) => account !== to.except);
}
