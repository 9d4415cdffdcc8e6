import type { LostReason } from '../connection/connection';
import type { ChatClientError, EndReason } from '../errors';
import type { Frames } from '../protocol/contract';
import { type AnyFrame, isOneOf } from '../protocol/frames';
import type { OutgoingMessage } from '../sending/outbox';
import type { SendResult } from '../sending/pending-message';

/** Frames that the library handles itself, and does not emit. */
const protocolFrames = ['status', 'reauthentication-required', 'resume-complete', 'resume-failed'] as const;
type ProtocolFrameType = (typeof protocolFrames)[number];
type ProtocolFrame = Extract<AnyFrame, { type: ProtocolFrameType }>;

export function isProtocolFrame(frame: AnyFrame): frame is ProtocolFrame {
  return isOneOf(frame, protocolFrames);
}

/** The events of a chat and their payloads: events of the service, and events of the connection. */
export interface ChatEvents extends Omit<Frames, ProtocolFrameType> {
  /**
   * No further missed events will come, and messages are sent. Followed by `resumed` or `state-lost`, except the first
   * time.
   */
  connected: undefined;
  /** Everything missed since the previous connection is delivered. */
  resumed: undefined;
  /** Missed events are not delivered: call `fetchState`. Later events are complete. */
  'state-lost': { reason: LostReason };
  /** A connection or an attempt ended, with this close code. */
  disconnected: { code: number; retryInMs: number };
  /** The chat ended. The last event. */
  ended: { reason: EndReason; cause: unknown };
  /** A message of this client, or of an earlier run of it, is stored. */
  sent: { outgoing: OutgoingMessage } & SendResult;
  /** A message will not be stored; if the error is a ConnectionLostError, it may be stored already. */
  'not-sent': { outgoing: OutgoingMessage; error: ChatClientError };
  /** A frame that this version does not know. */
  'unknown-frame': { frame: unknown };
}
