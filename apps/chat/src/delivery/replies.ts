import { Injectable } from '@nestjs/common';
import { type Entry, type Position } from '../log/entry';
import { type Connection } from '../realtime/connection';
import { type FrameRequest } from '../realtime/frame-request';

/** Maximum number of pending replies of a connection; with more it is closed. */
const maxReplies = 1_000;

interface Pending {
  entry: Entry;
  requests: readonly FrameRequest[];
}

/**
 * Requests whose reply is an entry that is not written to their connection yet. The entry is written with the `ref` of
 * the request, so that the reply keeps its position in the stream.
 */
@Injectable()
export class Replies {
  private readonly byEntry = new Map<string, Pending>();

  add(entry: Entry, request: FrameRequest): void {
    const { connection } = request;
    if (this.byEntry.size > maxReplies && this.ofConnection(connection).length > maxReplies)
      connection.close('consumerTooSlow');
    const requests = [...this.of(entry), request];
    this.byEntry.set(keyOf(entry), { entry, requests });
  }

  /** Returns the requests that an entry replies to, in order of arrival. */
  of(entry: Position): readonly FrameRequest[] {
    return this.find(entry)?.requests ?? [];
  }

  /** Removes requests of an entry. @returns those that were pending */
  take(entry: Position, isTaken: (request: FrameRequest) => boolean): readonly FrameRequest[] {
    const pending = this.find(entry);
    if (pending === undefined) return [];
    const taken = pending.requests.filter(isTaken);
    pending.requests = pending.requests.filter((request) => !taken.includes(request));
    if (pending.requests.length === 0) this.byEntry.delete(keyOf(entry));
    return taken;
  }

  ofConnection(connection: Connection): { entry: Entry; request: FrameRequest }[] {
    const found: { entry: Entry; request: FrameRequest }[] = [];
    for (const { entry, requests } of this.byEntry.values())
      for (const request of requests) if (request.connection === connection) found.push({ entry, request });
    return found;
  }

  /** Forgets the requests of an account, which has no connection any more. */
  forget(account: string): void {
    for (const { entry } of this.byEntry.values()) this.take(entry, (request) => request.account === account);
  }

  clear(): void {
    this.byEntry.clear();
  }

  private find(entry: Position): Pending | undefined {
    // Most entries are delivered while nothing is pending.
    return this.byEntry.size === 0 ? undefined : this.byEntry.get(keyOf(entry));
  }
}

function keyOf({ stream, seq }: Position): string {
  return `${seq} ${stream}`;
}
