import { type Abstract } from '@nestjs/common';
import { type ClientFrameType, type ClientPayload, type FrameErrorCode, type ServerFrameType } from '@waggle/contracts';
import { type FramePrice } from './frame-prices';
import { type FrameRequest } from './frame-request';

/** The errors that any frame may cause. */
export const commonErrors = [
  'invalid-frame',
  'unauthenticated',
  'rate-limited',
  'unavailable',
] as const satisfies FrameErrorCode[];

/**
 * What the service and its clients know about a frame from clients, besides the schema that the contract has for its
 * type.
 */
export interface FrameDescription {
  price: FramePrice;
  summary: string;
  /** Who may send it. */
  permission: string;
  /** Whether it is also handled before the connection has authenticated; false by default. */
  beforeAuthentication?: boolean;
  /**
   * The frames that the sending connection receives in reply, with its `ref`: one of these, several, or none if the
   * list is empty.
   */
  replies: readonly ServerFrameType[];
  /** The events that it causes for other accounts, but not for the sender. */
  eventsToOthers: readonly ServerFrameType[];
  /** The codes of the errors that it causes, besides those of any frame. */
  errors: readonly Exclude<FrameErrorCode, (typeof commonErrors)[number]>[];
}

/** Returns an injectable of the application, as `app.get` does. */
export type Resolve = <Injectable>(token: Abstract<Injectable>) => Injectable;

interface FrameDefinition<Payload, Services> extends FrameDescription {
  /** Is called with a valid payload. What it throws is sent as an `error` frame. */
  handle: (services: Services, request: FrameRequest, payload: Payload) => void | Promise<void>;
}

/** A frame in the table of its feature. Its handler is created when it is registered with `FrameRouter`. */
export interface Frame<Payload> extends FrameDescription {
  handlerOf: (resolve: Resolve) => (request: FrameRequest, payload: Payload) => void | Promise<void>;
}

/** The definitions of all frames that clients send, by type. */
export type Frames = { [Type in ClientFrameType]: Frame<ClientPayload<Type>> };

/**
 * Returns a frame for the table of its feature, which is to satisfy `Partial<Frames>`.
 *
 * @param inject resolves what the handler uses; called once
 */
export function frame<Payload, Services>(
  inject: (resolve: Resolve) => Services,
  { handle, ...description }: FrameDefinition<Payload, Services>,
): Frame<Payload> {
  return {
    ...description,
    handlerOf: (resolve) => handle.bind(undefined, inject(resolve)),
  };
}

/** Returns the keys of a table, with their type. */
export function keysOf<Key extends string>(table: Record<Key, unknown>): Key[] {
  return Object.keys(table).filter((key): key is Key => key in table);
}
