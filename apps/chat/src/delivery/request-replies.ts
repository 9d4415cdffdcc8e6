import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, type Logger, ThrottledLog } from '@waggle/service';
import { type Entry } from '../log/entry';
import { type Connection } from '../realtime/connection';
import { CatchUp } from './catch-up';
import { FanOut } from './fan-out';
import { PendingReplies, type PendingReply } from './pending-replies';
import { OpenStreams } from './open-streams';

/*
 * The reply to a request is an entry. A pending reply is in one of these states, which are not stored: they follow from
 * the stream of the entry and from what the connection of the request is behind with.
 *
 * | state          | condition                                              | leads to                               |
 * |----------------|--------------------------------------------------------|----------------------------------------|
 * | awaited        | the connection is behind with the entry, or its        | the delivery of the entry is the       |
 * |                | account is subscribed and the entry is not delivered   | reply: `FanOut` or `CatchUp` takes it  |
 * | delivered      | the account is subscribed, and the entry is delivered  | the entry is written again, on the     |
 * |                |                                                        | connection of the request only         |
 * | not subscribed | the account is not subscribed here                     | its own stream is read, since it may   |
 * |                |                                                        | have joined at another instance: then  |
 * |                |                                                        | awaited, delivered, or written to all  |
 * |                |                                                        | connections of the account             |
 *
 * The reply to a repeated request is not awaited by a connection that resumes: the client may have the entry, and then
 * the resume does not include it.
 */

/** Replies to requests whose entry is not going to be delivered to their connection. */
@Injectable()
export class RequestReplies {
  private readonly failures: ThrottledLog;

  constructor(
    private readonly pending: PendingReplies,
    private readonly streams: OpenStreams,
    private readonly catchUp: CatchUp,
    private readonly fanOut: FanOut,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.failures = ThrottledLog.errors(logger, 'cannot reply to a request');
    catchUp.on('caughtUp', (connection) => {
      this.replyOn(connection);
    });
  }

  /** Expects that the delivery of an entry is the reply to a request. To be called before the entry is delivered. */
  expect(reply: PendingReply): void {
    this.pending.add(reply);
  }

  /** Writes the replies with an entry that are not awaited. To be called after the entry is delivered. */
  replyWith(entry: Entry): void {
    for (const reply of this.pending.of(entry)) this.replyUnlessAwaited(reply);
  }

  /** Writes the replies to the requests of a connection that are not awaited. */
  replyOn(connection: Connection): void {
    for (const reply of this.pending.ofConnection(connection)) this.replyUnlessAwaited(reply);
  }

  replyUnlessAwaited(reply: PendingReply): void {
    if (!this.pending.has(reply) || this.isAwaited(reply)) return;
    if (this.isSubscribed(reply)) {
      this.pending.remove(reply);
      this.fanOut.reply(reply);
      return;
    }
    this.replyToUnsubscribed(reply).catch((error: unknown) => {
      this.failures.log(error);
      // A client that connects again repeats the requests that have no reply.
      if (this.pending.remove(reply)) this.fanOut.close(reply.request.account);
    });
  }

  /** Forgets the replies to an account, which has no connection any more. */
  forget(account: string): void {
    this.pending.forget(account);
  }

  clear(): void {
    this.pending.clear();
  }

  private async replyToUnsubscribed(reply: PendingReply): Promise<void> {
    await this.streams.readToEnd(reply.request.account);
    if (this.isAwaited(reply) || !this.pending.remove(reply)) return;
    // If the account turned out to be subscribed, its other connections receive the entry by catching up.
    if (this.isSubscribed(reply)) this.fanOut.reply(reply);
    else this.fanOut.replyToAll(reply);
  }

  private isAwaited(reply: PendingReply): boolean {
    const { entry, request, isRepeated } = reply;
    const { connection } = request;
    if (isRepeated && this.catchUp.findBehind(connection)?.isResuming === true) return false;
    if (connection.isOpen && this.catchUp.isBehind(connection, entry)) return true;
    return this.isSubscribed(reply) && this.streams.find(entry.stream)?.hasDelivered(entry.seq) === false;
  }

  private isSubscribed({ entry, request }: PendingReply): boolean {
    return this.streams.find(entry.stream)?.subscribers.receives(request.account, entry.seq) === true;
  }
}
