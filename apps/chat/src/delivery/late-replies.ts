import { Injectable } from '@nestjs/common';
import { eventsOf, isRecipient, type Entry, type Position } from '../log/entry';
import { type EntryRange } from '../log/missed.store';
import { type Connection } from '../realtime/connection';
import { Connections } from '../realtime/connections';
import { type FrameRequest } from '../realtime/frame-request';
import { ServerFrame } from '../realtime/server-frame';
import { Backfill } from './backfill';
import { Cursor } from './cursor';
import { type OpenStreams } from './open-streams';
import { type Stream } from './stream';
import { type Subscriptions } from './subscriptions';

/** Writes entries as replies, outside of their delivery. */
@Injectable()
export class ReplyWriter {
  constructor(
    private readonly connections: Connections,
    private readonly cursor: Cursor,
    private readonly backfill: Backfill,
  ) {}

  /** Writes the events of an entry for the account of a request to its connection, although they are delivered already. */
  write(entry: Entry, request: FrameRequest) {
    this.writeTo(request.connection, entry, request);
  }

  /**
   * Writes the events of an entry for the account of a request to the connections that the account had when it sent the request, although
   * it is not subscribed. Connections that were opened later have fetched a newer state.
   */
  writeToAll(entry: Entry, request: FrameRequest) {
    for (const connection of this.connections.ofAccount(request.account))
      if (
        connection === request.connection ||
        (!request.repliesHereOnly && connection.openedAtMs < request.receivedAtMs)
      )
        this.writeTo(connection, entry, request);
  }

  /** Writes an entry, or defers it behind earlier ones that are deferred. */
  private writeTo(connection: Connection, entry: Entry, request: FrameRequest) {
    // It may have authenticated as another account since.
    if (connection.authentication?.account !== request.account) return;
    const isRequester = connection === request.connection;
    if (!isRequester && connection.hasDelivered(entry)) return;
    const { deferred } = connection;
    // What a connection that resumes has received is not read again, so the reply to a repetition cannot wait for it.
    const isRepetition = isRequester && request.repliesHereOnly && deferred?.isResuming === true;
    if (deferred?.mustDefer(entry) === true && !isRepetition) {
      this.backfill.defer(connection, entry, isRequester ? request : undefined, true);
      return;
    }
    const position = { stream: entry.stream, seq: entry.seq, cursor: this.cursor.value };
    const ref = isRequester ? request.ref : undefined;
    for (const { type, payload, to } of eventsOf(entry)) {
      if (isRecipient(to, request.account)) connection.write(new ServerFrame(type, payload, position), ref);
    }
  }
}

interface PendingReply {
  entry: Entry;
  /** All of one account. */
  requests: readonly FrameRequest[];
  /** Whether the account's own stream is being read. Then the requests get their reply, unless a delivery will be the reply. */
  isCatchingUp: boolean;
}

/** The parts of `Delivery` that `LateReplies` uses. */
interface DeliveryActions {
  /** Delivers what the database holds after the given positions. Resolves with the number of entries that it has read. */
  fill: (after: readonly Position[]) => Promise<number>;
  /** Closes the connections of an account. */
  close: (account: string) => void;
  report: (error: unknown) => void;
}

/**
 * Replies to requests that get no reply from the delivery of their entry, because the request repeats one whose entry was delivered before
 * or is not the first of its connection, the stream was opened here after the entry, or the account is not known to be subscribed to the
 * stream.
 */
export class LateReplies {
  /** Requests of accounts that are not known to be subscribed to the stream of their entry. */
  private readonly pending = new Map<string, PendingReply>();

  constructor(
    private readonly streams: OpenStreams,
    private readonly subscriptions: Subscriptions,
    private readonly writer: ReplyWriter,
    private readonly delivery: DeliveryActions,
  ) {}

  /** Replies with an entry that was delivered here already, or whose stream is not open here. */
  reply(entry: Entry, request: FrameRequest) {
    const { account } = request;
    const stream = this.streams.find(entry.stream);
    if (stream?.isSubscribed(account, entry.seq) === true) this.writer.write(entry, request);
    else this.replyAfterCatchUp(entry, request);
  }

  /** Replies to the requests whose entries a stream could not deliver before it was closed. */
  replyForClosed(stream: Stream) {
    const pending = [...this.pending.values()].filter(({ entry }) => entry.stream === stream.id);
    for (const { entry, requests } of [...stream.earlyArrivals(), ...pending])
      for (const request of requests) this.replyAfterCatchUp(entry, request);
  }

  /** Returns the pending requests that the delivery of an entry replies to. */
  find(entry: Entry): readonly FrameRequest[] {
    // Most entries are delivered while none is pending.
    return this.pending.size === 0 ? [] : (this.pending.get(keyOf(entry))?.requests ?? []);
  }

  /**
   * Call this after an entry is delivered. If the account of its requests is subscribed, that was the reply to the first request of each
   * connection, and the others get theirs; otherwise replies after catching up.
   */
  afterDelivery(
    entry: Entry,
    stream: Stream,
    { requests, firsts }: { requests: readonly FrameRequest[]; firsts: ReadonlyMap<Connection, FrameRequest> },
  ) {
    const [first] = requests;
    if (first === undefined) return;
    if (!stream.isSubscribed(first.account, entry.seq)) {
      for (const request of requests) this.replyAfterCatchUp(entry, request);
      return;
    }
    this.remove(entry);
    for (const request of requests) if (request !== firsts.get(request.connection)) this.writer.write(entry, request);
  }

  /**
   * Removes and returns the requests of an account that a backfill replies to, by sequence number. A connection that has received the entry
   * when it resumed does not get it from the backfill, so its requests stay pending.
   */
  removeRange(account: string, { stream, from, to }: EntryRange): Map<number, readonly FrameRequest[]> {
    const removed = new Map<number, readonly FrameRequest[]>();
    for (const [key, pending] of this.pending) {
      const { entry, requests } = pending;
      if (entry.stream !== stream || entry.seq < from || entry.seq > to) continue;
      if (requests[0]?.account !== account) continue;
      const hasReceived = ({ connection }: FrameRequest) => connection.resumedUpTo(stream) >= entry.seq;
      const due = requests.filter((request) => !hasReceived(request));
      if (due.length > 0) removed.set(entry.seq, due);
      pending.requests = requests.filter(hasReceived);
      // The account's other connections get the entry from the backfill.
      for (const request of pending.requests) request.repliesHereOnly = true;
      if (pending.requests.length === 0) this.pending.delete(key);
    }
    return removed;
  }

  forget(account: string) {
    for (const [key, { requests }] of this.pending) if (requests[0]?.account === account) this.pending.delete(key);
  }

  clear() {
    this.pending.clear();
  }

  /**
   * Replies to a request whose account is not subscribed to the stream of its entry. It may have joined at another instance: then
   * catching up finds its subscription, and the delivery or a backfill is the reply.
   */
  private replyAfterCatchUp(entry: Entry, request: FrameRequest) {
    const { account } = request;
    if (!this.subscriptions.has(account)) return;
    if (!eventsOf(entry).some(({ to }) => isRecipient(to, account))) return;
    const pending = this.add(entry, request);
    // That catch-up began after the entry was committed, so it finds the subscription, and replies to this request too.
    if (pending.isCatchingUp) return;
    pending.isCatchingUp = true;
    this.catchUpAccount(account).then(
      () => {
        pending.isCatchingUp = false;
        if (!this.isPending(pending)) return;
        const stream = this.streams.find(entry.stream);
        const willBeDelivered = stream?.isSubscribed(account, entry.seq) === true && !stream.hasDelivered(entry.seq);
        // The delivery will be the reply.
        if (willBeDelivered) return;
        // The request may have been repeated meanwhile, on another connection.
        for (const each of this.remove(entry)) this.writer.writeToAll(entry, each);
      },
      (error: unknown) => {
        pending.isCatchingUp = false;
        this.delivery.report(error);
        if (!this.isPending(pending)) return;
        // A client that connects again repeats what it has no reply to.
        if (this.remove(entry).length > 0) this.delivery.close(account);
      },
    );
  }

  /** Delivers what the own stream of an account holds in the database by now. If it has not started, its first read is awaited instead. */
  private async catchUpAccount(account: string) {
    let found: number;
    do {
      const own = this.streams.find(account);
      found = own?.hasStarted === true ? await this.delivery.fill([{ stream: account, seq: own.deliveredSeq }]) : 0;
    } while (found > 0);
    await this.subscriptions.finishReading(account);
  }

  private add(entry: Entry, request: FrameRequest): PendingReply {
    const key = keyOf(entry);
    const pending = this.pending.get(key) ?? { entry, requests: [], isCatchingUp: false };
    const kept = pending.requests.filter(({ isObsolete }) => !isObsolete);
    pending.requests = kept.includes(request) ? kept : [...kept, request];
    this.pending.set(key, pending);
    return pending;
  }

  /** Whether the requests have no reply yet, and neither has their account reconnected nor the delivery restarted. */
  private isPending(pending: PendingReply): boolean {
    return this.pending.get(keyOf(pending.entry)) === pending;
  }

  private remove(entry: Entry): readonly FrameRequest[] {
    if (this.pending.size === 0) return [];
    const key = keyOf(entry);
    const { requests = [] } = this.pending.get(key) ?? {};
    this.pending.delete(key);
    return requests;
  }
}

function keyOf({ stream, seq }: Position): string {
  return `${seq} ${stream}`;
}
