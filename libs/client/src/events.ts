import type { LostReason } from './state';
import type { ChatClientError, EndReason } from './errors';
import { type AnyFrame, type Frames, isOneOf } from './frames';
import type { OutgoingMessage } from './outbox';
import type { Stored } from './sending';

/** Frames that are between the service and this library. */
const protocolFrames = ['status', 'reauthentication-required', 'resume-complete', 'resume-failed'] as const;
type ProtocolFrameType = (typeof protocolFrames)[number];
type ProtocolFrame = Extract<AnyFrame, { type: ProtocolFrameType }>;

export function isProtocolFrame(frame: AnyFrame): frame is ProtocolFrame {
  return isOneOf(frame, protocolFrames);
}

/** What a chat tells, and what comes with it: the service's own events, and how the connection fares. */
export interface ChatEvents extends Omit<Frames, ProtocolFrameType> {
  /** All that was missed has come, and messages go: `state` is `connected`. Then `resumed` or `state-lost`, unless it is the first time. */
  connected: undefined;
  /** Everything that was missed since the former connection has been told. */
  resumed: undefined;
  /** What was missed is not told: fetch the state anew, by `fetchState` say. Events from here on are complete. */
  'state-lost': { reason: LostReason };
  /** The connection, or an attempt at one, has ended. `code`: the WebSocket's. */
  disconnected: { code: number; retryInMs: number };
  /** There will be no other connection. The last event. */
  ended: { reason: EndReason; cause: unknown };
  /** A message of ours is stored, one of an earlier life of the outbox too. */
  sent: { outgoing: OutgoingMessage } & Stored;
  /** A message of ours will not be stored (or, if the error is a ConnectionLostError, may have been). */
  'not-sent': { outgoing: OutgoingMessage; error: ChatClientError };
  /** A frame that this version of the library does not know. */
  'unknown-frame': { frame: unknown };
}
