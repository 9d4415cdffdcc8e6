import { type Entry } from '../log/entry';
import { type Position } from '../log/log.store';
import { type EntryRange } from '../log/missed.store';
import { type FrameRequest } from '../realtime/frame-request';

/** Requests of accounts that are not known to be subscribed to the stream of their entry, by entry. All of an entry are of one account. */
export class PendingReplies {
  private readonly byPosition = new Map<string, { entry: Entry; requests: FrameRequest[] }>();

  add(entry: Entry, request: FrameRequest) {
    const key = keyOf(entry);
    const { requests = [] } = this.byPosition.get(key) ?? {};
    this.byPosition.set(key, { entry, requests: requests.includes(request) ? requests : [...requests, request] });
  }

  /** Returns the request that the delivery of an entry replies to. */
  find(entry: Entry): FrameRequest | undefined {
    // Most entries are delivered while none is pending.
    return this.byPosition.size === 0 ? undefined : openOf(this.byPosition.get(keyOf(entry))?.requests);
  }

  /** Removes and returns the requests of an entry. */
  take(entry: Entry): readonly FrameRequest[] {
    if (this.byPosition.size === 0) return [];
    const key = keyOf(entry);
    const { requests = [] } = this.byPosition.get(key) ?? {};
    this.byPosition.delete(key);
    return requests;
  }

  /** Removes and returns the requests of an account that a backfill replies to, by sequence number. */
  takeRange(account: string, { stream, from, to }: EntryRange): Map<number, FrameRequest> {
    const taken = new Map<number, FrameRequest>();
    for (const [key, { entry, requests }] of this.byPosition) {
      const request = openOf(requests);
      if (entry.stream !== stream || entry.seq < from || entry.seq > to) continue;
      if (request?.caller.account !== account) continue;
      this.byPosition.delete(key);
      taken.set(entry.seq, request);
    }
    return taken;
  }

  /** Returns the requests for entries of a stream. */
  ofStream(stream: string): { entry: Entry; origin: FrameRequest }[] {
    return Array.from(this.byPosition.values()).flatMap(({ entry, requests }) =>
      entry.stream === stream ? requests.map((origin) => ({ entry, origin })) : [],
    );
  }

  forget(account: string) {
    for (const [key, { requests }] of this.byPosition)
      if (requests[0]?.caller.account === account) this.byPosition.delete(key);
  }

  clear() {
    this.byPosition.clear();
  }
}

/** Returns the first request whose connection is open, or the last one. */
function openOf(requests: readonly FrameRequest[] = []): FrameRequest | undefined {
  return requests.find(({ connection }) => connection.isOpen) ?? requests.at(-1);
}

function keyOf({ stream, seq }: Position): string {
  return `${seq} ${stream}`;
}
