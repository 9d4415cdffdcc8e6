import { Injectable } from '@nestjs/common';
import { extendedServerFrames, type Capability, type ServerFrameType } from '@waggle/contracts';
import { eventsOf, isByName, isRecipient, subscriptionChangesOf, type ChatEvent, type Entry } from '../log/entry';
import { type EntryRange } from '../log/missed.store';
import { type Connection } from '../realtime/connection';
import { Connections } from '../realtime/connections';
import { type FrameRequest } from '../realtime/frame-request';
import { ServerFrame } from '../realtime/server-frame';
import { RealtimeMetrics } from '../realtime/realtime.metrics';
import { Backfill } from './backfill';
import { Cursor } from './cursor';
import { type Stream } from './streams';

/** Writes events to the connections of accounts at this instance. */
@Injectable()
export class FanOut {
  constructor(
    private readonly connections: Connections,
    private readonly cursor: Cursor,
    private readonly metrics: RealtimeMetrics,
    private readonly backfill: Backfill,
  ) {}

  /**
   * Writes an entry to its subscribers.
   *
   * @param requests the requests that the entry replies to: the first one of each connection gets its events, with its `ref`
   */
  deliver(entry: Entry, stream: Stream, requests: readonly FrameRequest[]) {
    const position = { stream: entry.stream, seq: entry.seq, cursor: this.cursor.value };
    const sender = 'events' in entry ? entry.stream : entry.message.sender;
    for (const { type, payload, to } of eventsOf(entry)) {
      const frame = new ServerFrame(type, payload, position);
      let deliveries = 0;
      for (const account of recipientsOf(to, entry.seq, stream)) {
        for (const connection of this.connections.ofAccount(account)) {
          deliveries += 1;
          const own = requests.find((each) => each.connection === connection);
          // The connection may have authenticated as another account since.
          const request = own?.account === account ? own : undefined;
          this.write(connection, frame, entry, { account, sender, request });
        }
      }
      this.metrics.deliveries.add(deliveries, type);
    }
    for (const account of subscriptionChangesOf(entry).leaves)
      if (stream.isSubscribed(account, entry.seq)) this.endDeferred(account, entry);
  }

  /** Writes an event that is not stored. @param after as for `Delivery.broadcast` */
  broadcast(event: ChatEvent, subscribers: Iterable<string>, origin?: FrameRequest, after?: number) {
    const { type, payload, to } = event;
    const frame = new ServerFrame(type, payload);
    const required = requiredCapability(type);
    let deliveries = 0;
    for (const account of isByName(to) ? to : subscribers) {
      if (!isRecipient(to, account)) continue;
      for (const connection of this.connections.ofAccount(account)) {
        if (required !== undefined && !connection.has(required)) continue;
        this.writeEphemeral(connection, frame, event, { origin, after });
        deliveries += 1;
      }
    }
    this.metrics.deliveries.add(deliveries, type);
  }

  /**
   * Delivers entries from the database to every connection of an account. Other accounts here have received them already.
   *
   * @param replies requests of the account that the entries reply to, by sequence number
   */
  startBackfill(account: string, range: EntryRange, replies: ReadonlyMap<number, readonly FrameRequest[]>) {
    for (const connection of this.connections.ofAccount(account)) {
      const own = Array.from(replies, ([seq, requests]): [number, FrameRequest[]] => [
        seq,
        requests.filter((request) => request.connection === connection),
      ]);
      this.backfill.deferRange(connection, range, new Map(own));
    }
  }

  /**
   * Writes the events of an entry for the account of a request, although they are delivered already, or defers them behind earlier ones
   * that are deferred.
   *
   * @param connection by default that of the request
   */
  reply(entry: Entry, request: FrameRequest, connection = request.connection) {
    // It may have authenticated as another account since.
    if (connection.authentication?.account !== request.account) return;
    const isRequester = connection === request.connection;
    if (!isRequester && connection.hasResumedPast(entry)) return;
    const { deferred } = connection;
    // What a connection that resumes has received is not read again, so the reply to a repetition cannot wait for it.
    const isRepetition = isRequester && request.repliesHereOnly && deferred?.isResuming === true;
    if (deferred?.defersEntry(entry) === true && !isRepetition) {
      // As if the account left with it: it may not be subscribed to later entries, which therefore begin a range of their own.
      this.backfill.defer(connection, entry, isRequester ? request : undefined, true);
      return;
    }
    const position = { stream: entry.stream, seq: entry.seq, cursor: this.cursor.value };
    const ref = isRequester ? request.ref : undefined;
    for (const { type, payload, to } of eventsOf(entry)) {
      if (isRecipient(to, request.account)) connection.write(new ServerFrame(type, payload, position), ref);
    }
  }

  /**
   * Writes the events of an entry for the account of a request to the connections that the account had when it sent the request, although
   * it is not subscribed. Connections that were opened later have fetched a newer state.
   */
  replyToAll(entry: Entry, request: FrameRequest) {
    for (const connection of this.connections.ofAccount(request.account))
      if (
        connection === request.connection ||
        (!request.repliesHereOnly && connection.openedAtMs < request.receivedAtMs)
      )
        this.reply(entry, request, connection);
  }

  /** Closes the connections of an account, which then connects and reads what it has missed. */
  close(account: string) {
    for (const connection of this.connections.ofAccount(account)) connection.close('unavailable');
  }

  /** Closes all connections of this instance. @returns how many there were */
  closeAll(): number {
    const { size } = this.connections;
    for (const connection of this.connections.all()) connection.close('unavailable');
    return size;
  }

  /** Writes an entry at once if there is room for what its sender has unsent, and otherwise later. */
  private write(
    connection: Connection,
    frame: ServerFrame,
    entry: Entry,
    { account, sender, request }: { account: string; sender: string; request: FrameRequest | undefined },
  ) {
    const ref = request?.ref;
    if (connection.hasResumedPast(entry)) {
      // It is still the reply.
      if (ref !== undefined) connection.write(frame, ref);
      return;
    }
    const isDeferred = connection.deferred?.defersStream(entry.stream) === true;
    if (!isDeferred && connection.tryWrite(frame, sender, ref)) return;
    this.backfill.defer(connection, entry, request, subscriptionChangesOf(entry).leaves.includes(account));
  }

  /**
   * Ends what is deferred of a stream with the entry by which an account leaves it; that entry need not have an event for the account.
   * Otherwise entries that are deferred after the account has joined again would extend the old range, which would then contain the
   * entries in between.
   */
  private endDeferred(account: string, entry: Entry) {
    for (const connection of this.connections.ofAccount(account)) {
      if (connection.deferred?.defersStream(entry.stream) !== true || connection.hasResumedPast(entry)) continue;
      this.backfill.defer(connection, entry, undefined, true);
    }
  }

  private writeEphemeral(
    connection: Connection,
    frame: ServerFrame,
    { type, payload }: ChatEvent,
    { origin, after }: { origin: FrameRequest | undefined; after: number | undefined },
  ) {
    const stream = 'conversation_id' in payload ? payload.conversation_id : null;
    const isReply = connection === origin?.connection;
    if (frame.isDroppable) {
      connection.writeDroppable(frame);
    } else if (stream === null || (isReply && connection.deferred?.defersStream(stream) !== true)) {
      connection.write(frame, isReply ? origin.ref : undefined);
    } else if (isReply) {
      this.backfill.deferNotice(connection, { stream, after, frame, ref: origin.ref });
    } else if (connection.deferred !== undefined || !connection.tryWrite(frame, stream)) {
      const kind = 'username' in payload ? `${type} ${payload.username}` : type;
      this.backfill.deferNotice(connection, { stream, after, frame, kind });
    }
  }
}

/** Returns the capability that a connection needs to receive frames of a type. */
function requiredCapability(type: ServerFrameType): Capability | undefined {
  return isExtended(type) ? extendedServerFrames[type] : undefined;
}

function isExtended(type: ServerFrameType): type is keyof typeof extendedServerFrames {
  return type in extendedServerFrames;
}

function recipientsOf(to: ChatEvent['to'], seq: number, stream: Stream): string[] {
  const isSubscribed = (account: string) => stream.isSubscribed(account, seq);
  if (isByName(to)) return [...new Set(to)].filter(isSubscribed);
  if (to.only !== undefined) return [to.only].filter(isSubscribed);
  return stream.subscribersAt(seq).filter((account) => account !== to.except);
}
