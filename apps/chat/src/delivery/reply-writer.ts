import { Injectable } from '@nestjs/common';
import { eventsOf, isRecipient, type Entry } from '../log/entry';
import { type Connection } from '../realtime/connection';
import { Connections } from '../realtime/connections';
import { type FrameRequest } from '../realtime/frame-request';
import { ServerFrame } from '../realtime/server-frame';
import { Backfill } from './backfill';
import { Cursor } from './cursor';

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
