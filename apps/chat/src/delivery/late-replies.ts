import { eventsOf, isRecipient, type Entry, type Position } from '../log/entry';
import { type EntryRange } from '../log/missed.store';
import { type FrameRequest } from '../realtime/frame-request';
import { type FanOut } from './fan-out';
import { type OpenStreams, type Stream } from './streams';
import { type Subscriptions } from './subscriptions';

/** Requests with the entry that replies to them. All are of one account, which is not known to be subscribed to the stream. */
interface PendingReply {
  entry: Entry;
  requests: readonly FrameRequest[];
}

/**
 * Replies to requests that get no reply from the delivery of their entry, because the request repeats one whose entry was delivered before
 * or is not the first of its connection, the stream is not open here, or the account is not known to be subscribed to it.
 */
export class LateReplies {
  /** By entry. Each is removed when its account has caught up, or earlier if a delivery or a backfill will be the reply. */
  private readonly pending = new Map<string, PendingReply>();

  constructor(
    private readonly streams: OpenStreams,
    private readonly subscriptions: Subscriptions,
    private readonly fanOut: FanOut,
    private readonly report: (error: unknown) => void,
  ) {}

  /** Replies with an entry that was delivered here already, or whose stream is not open here. */
  reply(entry: Entry, request: FrameRequest) {
    const stream = this.streams.find(entry.stream);
    if (stream?.isSubscribed(request.account, entry.seq) === true) this.fanOut.reply(entry, request);
    else this.replyAfterCatchUp(entry, request);
  }

  /** Replies to the requests whose entries a stream could not deliver before it was closed. */
  replyForClosed(stream: Stream) {
    for (const { entry, requests } of stream.earlyArrivals())
      for (const request of requests) this.replyAfterCatchUp(entry, request);
  }

  /** Hands the pending requests of an account to a stream that it is subscribed to now, whose delivery is then the reply to them. */
  handToStream(stream: Stream, account: string) {
    for (const [key, { entry, requests }] of this.pending) {
      if (entry.stream !== stream.id || requests[0]?.account !== account) continue;
      if (stream.hasDelivered(entry.seq) || !stream.isSubscribed(account, entry.seq)) continue;
      stream.keep(entry, requests);
      this.pending.delete(key);
    }
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
    const key = keyOf(entry);
    const known = this.pending.get(key);
    if (known !== undefined) {
      // Its catch-up began after the entry was committed, so it finds the subscription for this request too.
      const others = known.requests.filter((each) => each !== request && !each.isObsolete);
      known.requests = [...others, request];
      return;
    }
    const pending = { entry, requests: [request] };
    this.pending.set(key, pending);
    // False if the requests got their reply, or were forgotten, meanwhile.
    const remove = () => this.pending.get(key) === pending && this.pending.delete(key);
    this.catchUpAccount(account).then(
      () => {
        if (remove()) for (const each of pending.requests) this.fanOut.replyToAll(entry, each);
      },
      (error: unknown) => {
        this.report(error);
        // A client that connects again repeats what it has no reply to.
        if (remove()) this.fanOut.close(account);
      },
    );
  }

  /** Delivers what the own stream of an account, if it has started, holds in the database by now. */
  private async catchUpAccount(account: string) {
    let found: number;
    do {
      const own = this.streams.find(account);
      found = own?.hasStarted === true ? await this.streams.fill([{ stream: account, seq: own.deliveredSeq }]) : 0;
    } while (found > 0);
    await this.subscriptions.finishReading(account);
  }
}

function keyOf({ stream, seq }: Position): string {
  return `${seq} ${stream}`;
}
