import { type ServerFrameType } from '@waggle/contracts';
import { type ChatEvent } from '../log/entry';

/** Events that are not stored. Instances send them to each other. */
const ephemeralTypes = [
  'acknowledged',
  'draft-changed',
  'messages-read',
  'presence-changed',
  'read-position',
  'receipts-changed',
  'typing',
] as const satisfies readonly ServerFrameType[];

export type EphemeralEvent = Extract<ChatEvent, { type: (typeof ephemeralTypes)[number] }>;

export function isEphemeralType(type: unknown): boolean {
  return ephemeralTypes.some((each) => each === type);
}

/** How an event that is not stored is ordered among the entries of a conversation. */
export interface EventOrder {
  /** The conversation whose entries it follows. */
  readonly stream: string;
  /** While it waits for an entry, a later event of the same kind and conversation replaces it. */
  readonly kind: string;
}

/** Returns the order of an event; undefined if it is droppable: only connections that keep up receive it, at once. */
export function orderOf(event: EphemeralEvent): EventOrder | undefined {
  switch (event.type) {
    case 'presence-changed':
    case 'receipts-changed':
    case 'typing':
      return undefined;
    case 'messages-read':
      return { stream: event.payload.conversation_id, kind: `${event.type} ${event.payload.username}` };
    case 'acknowledged':
    case 'draft-changed':
    case 'read-position':
      return { stream: event.payload.conversation_id, kind: event.type };
  }
}
