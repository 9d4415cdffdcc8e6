import {
  acknowledgedSeq,
  clientIdentifier,
  frameReference,
  frameType,
  identifier,
  type FrameReference,
  type ServerFrameType,
  type ServerPayload,
} from '@waggle/contracts';
import { type TraceContext } from '@waggle/service';
import { ChatError } from '../errors';
import { type Connection } from './connection';
import { type FrameLimits } from './frame-limits';

/** A decoded frame from a client. */
interface Envelope {
  /** The type of the frame; undefined if it is missing or invalid. */
  type: string | undefined;
  /** The client's reference for replies; undefined if it is missing or invalid. */
  ref: FrameReference | undefined;
  /** Whether `ref` is a number that would come back changed. */
  hasInexactRef: boolean;
  payload: unknown;
}

/** Decodes a frame; its payload is not validated. @throws ChatError `invalid-frame` if the data is not a JSON object */
export function decodeFrame(data: Buffer, isBinary: boolean): Envelope {
  if (isBinary) throw new ChatError('invalid-frame', 'frames are JSON text, not binary');
  const frame = parseJson(data.toString('utf8'));
  if (typeof frame !== 'object' || frame === null || Array.isArray(frame)) {
    throw new ChatError('invalid-frame', 'a frame is an object');
  }
  const { type, ref, payload }: { type?: unknown; ref?: unknown; payload?: unknown } = frame;
  // Most frames have no `ref`, and the check is cheaper than the schema.
  const reference = ref === undefined ? undefined : frameReference.safeParse(ref).data;
  return {
    type: frameType.safeParse(type).data,
    ref: reference,
    hasInexactRef: typeof ref === 'number' && reference === undefined,
    payload: payload ?? {},
  };
}

/** Runs work for which the next frame of a connection does not wait. */
interface Background {
  runInBackground(work: Promise<void>, request: FrameRequest): void;
  /** Resolves when the background work of the connection that has begun by now is done. */
  backgroundWorkDone(): Promise<void>;
}

/** A frame from a client that is being handled: its sender, and how to reply to it. */
export class FrameRequest {
  readonly receivedAtMs = performance.now();
  /**
   * Whether a shutdown does not wait for its reply: the client of a resume continues from its cursor at another
   * instance.
   */
  mayBeCutOff = false;
  /** Its span, which the delivery of what it changes belongs to. */
  traceContext: TraceContext | undefined;
  private readonly sender: string | undefined;

  constructor(
    readonly connection: Connection,
    /** The type of the frame; undefined if it is missing or invalid. */
    readonly type: string | undefined,
    readonly ref: FrameReference | undefined,
    private readonly limits: FrameLimits,
    private readonly background: Background,
  ) {
    this.sender = connection.authentication?.account;
  }

  /**
   * The account that sent it; the connection may have authenticated as another since. @throws ChatError
   * `unauthenticated`
   */
  get account(): string {
    if (this.sender === undefined) throw unauthenticated();
    return this.sender;
  }

  /**
   * Returns the idempotency key of the payload, if the connection has the capability for one. @throws ChatError
   * `invalid-frame`
   */
  idempotencyKeyOf({ client_id }: { client_id?: unknown }): string | null {
    if (client_id === undefined || !this.connection.has('client-id')) return null;
    const result = clientIdentifier.safeParse(client_id);
    if (result.success) return result.data;
    throw new ChatError('invalid-frame', 'client_id: must be a text of 1 to 64 characters, without NUL');
  }

  /**
   * Returns the id of the message that the payload replies to, if the connection has the capability for replies.
   * @throws ChatError `invalid-frame`
   */
  replyToOf({ reply_to }: { reply_to?: unknown }): string | undefined {
    if (reply_to === undefined || reply_to === null || !this.connection.has('rich')) return undefined;
    const result = identifier.safeParse(reply_to);
    if (result.success) return result.data;
    throw new ChatError('invalid-frame', 'reply_to: must be the id of a message');
  }

  /**
   * Returns up to which sequence number the payload of an acknowledgment marks messages as read, if the connection has
   * the capability to say so. @throws ChatError `invalid-frame`
   */
  acknowledgedSeqOf({ seq }: { seq?: unknown }): number | null {
    if (seq === undefined || !this.connection.has('read-position')) return null;
    const result = acknowledgedSeq.safeParse(seq);
    if (result.success) return result.data;
    throw new ChatError('invalid-frame', 'seq: must be a whole number of at least 0');
  }

  /** Replies on this connection only. */
  reply<T extends ServerFrameType>(type: T, payload: ServerPayload<T>): void {
    this.connection.send(type, payload, this.ref);
  }

  /**
   * Runs work for which the connection's next frame does not wait, such as a message that is queued already. If it
   * fails, the client gets an `error` frame as for any other failure.
   */
  runInBackground(work: Promise<void>): void {
    this.background.runInBackground(work, this);
  }

  /**
   * Adds to the price of the frame, in plain frames.
   *
   * @param alreadyPaid the part of the price that was charged before
   * @throws ChatError `rate-limited`
   */
  charge(price: number, { alreadyPaid = 0 } = {}): void {
    this.limits.charge(this.connection, { price, alreadyPaid });
  }

  /** Charges a price that is known only after the work is done; later frames wait until it is paid. Never throws. */
  chargeAfterwards(price: number): void {
    this.limits.chargeAfterwards(this.connection, price);
  }

  /** Returns the time until a frame of this price is accepted, in milliseconds. */
  affordableInMs(price: number): number {
    return this.limits.affordableInMs(this.connection, price);
  }

  /** Resolves when the background work that earlier frames of its connection have begun is done. */
  backgroundWorkDone(): Promise<void> {
    return this.background.backgroundWorkDone();
  }
}

export function unauthenticated(): ChatError {
  return new ChatError('unauthenticated', 'send authenticate first');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ChatError('invalid-frame', 'not JSON');
  }
}
