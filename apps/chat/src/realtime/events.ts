import { Injectable } from '@nestjs/common';
import { type ServerFrameType, type ServerPayload } from '@waggle/contracts';
import { Connections } from './connections';
import { type FrameRequest } from './frame-request';
import { encodeFrame } from './frames';
import { RealtimeMetrics } from './realtime.metrics';

export interface ChatEvent<T extends ServerFrameType> {
  type: T;
  payload: ServerPayload<T>;
  /** The accounts that hear of it, on all their connections. */
  to: Iterable<string>;
  /** The request that caused it: its connection gets the event with the request's `ref`. */
  cause?: FrameRequest;
}

/**
 * Tells accounts what happened, on their connections at this instance. A message or change is durable before it is
 * published here.
 */
@Injectable()
export class Events {
  constructor(
    private readonly connections: Connections,
    private readonly metrics: RealtimeMetrics,
  ) {}

  publish<T extends ServerFrameType>({ type, payload, to, cause }: ChatEvent<T>) {
    const frame = encodeFrame(type, payload);
    let deliveries = 0;
    for (const account of new Set(to)) {
      for (const connection of this.connections.ofAccount(account)) {
        if (connection === cause?.connection) cause.answer(type, payload);
        else connection.write(frame);
        deliveries += 1;
      }
    }
    this.metrics.deliveries.inc({ type }, deliveries);
  }
}
