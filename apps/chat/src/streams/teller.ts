import { Injectable } from '@nestjs/common';
import { extendedServerFrames, type Capability, type ServerFrameType } from '@waggle/contracts';
import { Connections } from '../realtime/connections';
import { type FrameRequest } from '../realtime/frame-request';
import { ServerFrame } from '../realtime/frames';
import { RealtimeMetrics } from '../realtime/realtime.metrics';
import { Cursor } from './cursor';
import { isToldTo, type ChatEvent } from './entry';

/** Writes events to the connections that accounts have at this instance. */
@Injectable()
export class Teller {
  constructor(
    private readonly connections: Connections,
    private readonly cursor: Cursor,
    private readonly metrics: RealtimeMetrics,
  ) {}

  /**
   * @param hearers whoever hears the stream
   * @param place of the event in its stream, where it is durable
   * @param cause the request that caused it: its connection gets the event with the request's `ref`
   */
  tell(
    { type, payload, to }: ChatEvent,
    hearers: ReadonlySet<string>,
    place?: { stream: string; seq: number },
    cause?: FrameRequest,
  ) {
    const frame = new ServerFrame(type, payload, place && this.placed(place));
    const needed = neededFor(type);
    let deliveries = 0;
    for (const account of recipientsOf(to, hearers)) {
      for (const connection of this.connections.ofAccount(account)) {
        if (needed !== undefined && !connection.has(needed)) continue;
        connection.write(frame, connection === cause?.connection ? cause.ref : undefined);
        deliveries += 1;
      }
    }
    this.metrics.deliveries.add(deliveries, type);
  }

  /** Tells the connection of a request alone, where its account is among those who heard of the event. */
  answer(
    { type, payload, to }: ChatEvent,
    place: { stream: string; seq: number },
    { connection, ref, caller }: FrameRequest,
  ) {
    const { account } = caller;
    if (!isToldTo(to, account)) return;
    // Though it was told already: it is the answer.
    connection.writePast(new ServerFrame(type, payload, this.placed(place)), ref);
  }

  private placed({ stream, seq }: { stream: string; seq: number }) {
    return { stream, seq, cursor: this.cursor.value };
  }
}

/** What a connection must have asked for to hear it. */
function neededFor(type: ServerFrameType): Capability | undefined {
  return isExtended(type) ? extendedServerFrames[type] : undefined;
}

function isExtended(type: ServerFrameType): type is keyof typeof extendedServerFrames {
  return type in extendedServerFrames;
}

function recipientsOf(to: ChatEvent['to'], hearers: ReadonlySet<string>): Iterable<string> {
  if (!('length' in to)) {
    if (to.only !== undefined) return hearers.has(to.only) ? [to.only] : [];
    if (to.except === undefined && to.also === undefined) return hearers;
    const accounts = new Set(hearers);
    if (to.also !== undefined) accounts.add(to.also);
    if (to.except !== undefined) accounts.delete(to.except);
    return accounts;
  }
  return to.length < 2 ? to : new Set(to);
}
