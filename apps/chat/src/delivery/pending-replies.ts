import { Injectable } from '@nestjs/common';
import { type Entry, type Position } from '../log/entry';
import { type Connection } from '../realtime/connection';
import { type FrameRequest } from '../realtime/frame-request';

/** Maximum number of pending replies of a connection; with more it is closed. */
const maxReplies = 1_000;

/** The reply to a request: an entry that is not written to the connection of the request yet. */
export interface PendingReply {
  readonly entry: Entry;
  readonly request: FrameRequest;
  /** Whether the request repeats the one that caused the entry. */
  readonly isRepeated: boolean;
}

/**
 * Replies that are not written yet. The entry is written with the `ref` of the request, so that the reply keeps its
 * position in the stream.
 */
@Injectable()
export class PendingReplies {
  private readonly byEntry = new Map<string, readonly PendingReply[]>();

  add(reply: PendingReply): void {
    const { entry, request } = reply;
    if (this.byEntry.size > maxReplies && this.ofConnection(request.connection).length > maxReplies)
      request.connection.close('consumerTooSlow');
    this.byEntry.set(keyOf(entry), [...this.of(entry), reply]);
  }

  has(reply: PendingReply): boolean {
    return this.of(reply.entry).includes(reply);
  }

  /** Returns the replies that an entry is, in the order of their requests. */
  of(entry: Position): readonly PendingReply[] {
    // Most entries are delivered while nothing is pending.
    return this.byEntry.size === 0 ? [] : (this.byEntry.get(keyOf(entry)) ?? []);
  }

  ofConnection(connection: Connection): readonly PendingReply[] {
    const all = [...this.byEntry.values()].flat();
    return all.filter(({ request }) => request.connection === connection);
  }

  /** Removes replies with an entry. @returns those that were pending */
  take(entry: Position, isTaken: (reply: PendingReply) => boolean): readonly PendingReply[] {
    const pending = this.of(entry);
    const taken = pending.filter(isTaken);
    if (taken.length === 0) return taken;
    if (taken.length === pending.length) this.byEntry.delete(keyOf(entry));
    else
      this.byEntry.set(
        keyOf(entry),
        pending.filter((reply) => !taken.includes(reply)),
      );
    return taken;
  }

  /** Removes a reply. @returns whether it was pending */
  remove(reply: PendingReply): boolean {
    return this.take(reply.entry, (each) => each === reply).length > 0;
  }

  /** Removes the replies to an account, which has no connection any more. */
  forget(account: string): void {
    for (const [first] of this.byEntry.values())
      if (first !== undefined) this.take(first.entry, ({ request }) => request.account === account);
  }

  clear(): void {
    this.byEntry.clear();
  }
}

function keyOf({ stream, seq }: Position): string {
  return `${seq} ${stream}`;
}
