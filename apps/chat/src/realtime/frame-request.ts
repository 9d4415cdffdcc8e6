import { clientIdentifier, type FrameReference, type ServerFrameType, type ServerPayload } from '@waggle/contracts';
import { ChatError } from '../errors';
import { type Authentication, type Connection } from './connection';

/** What a frame needs of the pump that took it. */
export interface RequestPump {
  /** Work that the connection's next frame need not wait for. */
  runInBackground(work: Promise<void>, request: FrameRequest): void;
  /** Resolves when none is left. */
  backgroundWork(): Promise<void>;
  /** @throws ServiceError `rate-limited` */
  charge(price: number): void;
  /** Charges a price that was not known before; never throws. */
  chargeAfterwards(price: number): void;
  /** How long until a frame of the price would be let through, in milliseconds. */
  affordableInMs(price: number): number;
}

/** One frame from a client being handled: whose it is, and how to answer it. */
export class FrameRequest {
  readonly receivedAtMs = performance.now();

  constructor(
    readonly connection: Connection,
    /** Undefined where the frame had none that could be read. */
    readonly type: string | undefined,
    readonly ref: FrameReference | undefined,
    private readonly pump: RequestPump,
  ) {}

  /** @throws ServiceError `unauthenticated` */
  get caller(): Authentication {
    const { authentication } = this.connection;
    if (authentication === undefined) throw unauthenticated();
    return authentication;
  }

  /** Returns the idempotency key of the payload, if the connection has the capability for one. @throws ChatError `invalid-frame` */
  idempotencyKeyOf({ client_id }: { client_id?: unknown }): string | null {
    if (client_id === undefined || !this.connection.has('client-id')) return null;
    const result = clientIdentifier.safeParse(client_id);
    if (result.success) return result.data;
    throw new ChatError('invalid-frame', 'client_id: must be a text of 1 to 64 characters, without NUL');
  }

  /** Answers on this connection alone. */
  reply<T extends ServerFrameType>(type: T, payload: ServerPayload<T>) {
    this.connection.send(type, payload, this.ref);
  }

  /**
   * Hands over work that the connection's next frame need not wait for: a message that already has its place in the
   * queue. Its failure is answered like any other.
   */
  runInBackground(work: Promise<void>) {
    this.pump.runInBackground(work, this);
  }

  /** Counts the frame for so many plain ones more. @throws ServiceError `rate-limited` */
  charge(price: number) {
    this.pump.charge(price);
  }

  /** Counts for so many plain frames more what was found out only when it was done: later frames wait. Never throws. */
  chargeAfterwards(price: number) {
    this.pump.chargeAfterwards(price);
  }

  /** How long until a frame of the price would be let through, in milliseconds. */
  affordableInMs(price: number): number {
    return this.pump.affordableInMs(price);
  }

  /** Returns which of two requests for the same entry is to be replied to: the other one, unless only the connection of this one is open. */
  orIfClosed(other: FrameRequest | undefined): FrameRequest {
    return other === undefined || (this.connection.isOpen && !other.connection.isOpen) ? this : other;
  }

  /** Resolves when what was handed over before it on its connection is done. */
  earlierMessages(): Promise<void> {
    return this.pump.backgroundWork();
  }
}

export function unauthenticated(): ChatError {
  return new ChatError('unauthenticated', 'send authenticate first');
}
