import { Injectable } from '@nestjs/common';
import { type ServerFrameType, type ServerPayload } from '@waggle/contracts';
import { ChannelWatchers } from './channel-watchers';
import { Connections } from './connections';
import { type FrameRequest } from './frame-request';
import { encodeFrame } from './frames';
import { RealtimeMetrics } from './realtime.metrics';

/** The accounts, and whoever else follows the conversation where it is a channel. */
export interface Audience {
  conversationId: string;
  accounts: readonly string[];
  except?: string;
}

/** What happened, and the accounts that hear of it, on all their connections. */
export type ChatEvent = {
  [T in ServerFrameType]: { type: T; payload: ServerPayload<T>; to: readonly string[] | Audience };
}[ServerFrameType];

/**
 * Tells accounts what happened, on their connections at this instance. A message or change is durable before it is
 * published here.
 */
@Injectable()
export class Events {
  constructor(
    private readonly connections: Connections,
    private readonly watchers: ChannelWatchers,
    private readonly metrics: RealtimeMetrics,
  ) {}

  /** @param cause the request that caused it: its connection gets the event with the request's `ref` */
  publish({ type, payload, to }: ChatEvent, cause?: FrameRequest) {
    const frame = encodeFrame(type, payload);
    let deliveries = 0;
    for (const account of this.accountsOf(to)) {
      for (const connection of this.connections.ofAccount(account)) {
        if (connection === cause?.connection) cause.answer(type, payload);
        else connection.write(frame);
        deliveries += 1;
      }
    }
    this.metrics.deliveries.inc({ type }, deliveries);
  }

  private accountsOf(to: ChatEvent['to']): Set<string> {
    if (!('conversationId' in to)) return new Set(to);
    const accounts = new Set([...to.accounts, ...this.watchers.of(to.conversationId)]);
    if (to.except !== undefined) accounts.delete(to.except);
    return accounts;
  }
}
