import { abnormalClosure } from '../connection/frame-socket';
import type { PersistentConnection } from '../connection/persistent-connection';
import { type ChatClientError, ClientIdInUseError, ConnectionLostError, RejectedError } from '../errors';
import { type Attachment, closeCodes, type Frames, type RichMessage } from '../protocol/contract';
import { type AnyFrame, isOneOf, type StreamPosition } from '../protocol/frames';
import {
  createClientId,
  isSameFrame,
  Outbox,
  type OutboxLimits,
  type OutboxStore,
  type OutgoingMessage,
} from './outbox';
import { PendingMessage, type SendResult } from './pending-message';

export interface SendOptions {
  /**
   * The idempotency key of the message: 1 to 64 characters, unique. It identifies the message in `outbox` and `sent`.
   * While a message is pending, sending it again with its key returns the same result.
   */
  clientId?: string;
  /** Files on hosts that the service allows, at most 10. Their URLs become part of the text; see `textOf`. */
  attachments?: readonly Attachment[];
}

export interface MessageOptions extends SendOptions {
  /** The id of the message of the same conversation that this one replies to. */
  replyTo?: string;
}

interface SenderOptions extends OutboxLimits {
  store: OutboxStore | undefined;
  /** The largest frame that the service accepts, in bytes. */
  frameBytes: number;
  /** How long a reply may take before the message is sent again. */
  responseMs: number;
}

interface SenderHandlers {
  onSent(message: OutgoingMessage, result: SendResult): void;
  onFailed(message: OutgoingMessage, error: ChatClientError): void;
}

const hourMs = 60 * 60 * 1_000;

/** The service recognizes a repeated message for 24 hours; the last hour is a margin for clocks and delays. */
const marginMs = hourMs;
const repeatableMs = 24 * hourMs - marginMs;

/** Maximum size of a frame without its payload. */
const envelopeBytes = 256;

/** One of these is the last reply to a message; `conversation-created` precedes the first message of a conversation. */
const lastReplies = ['chat-message', 'error'] as const;

/**
 * Sends the messages of the outbox, and repeats each until there is a reply. `ChatCore` passes it the events of the
 * connection.
 */
export class Sender {
  readonly #outbox: Outbox;
  readonly #pending = new Map<string, PendingMessage>();
  /**
   * The messages of the frames that have no reply yet on the current connection, by the frame's `ref`. If a message was
   * sent more than once, further replies may follow the one that settles it.
   */
  readonly #awaitingReply = new Map<unknown, PendingMessage>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly options: SenderOptions,
    private readonly connection: PersistentConnection,
    private readonly nextRef: () => number,
    private readonly handlers: SenderHandlers,
  ) {
    this.#outbox = new Outbox(options);
  }

  get messages(): OutgoingMessage[] {
    return this.#outbox.messages;
  }

  /** Loads the messages of the store that are not here yet. */
  async load(): Promise<void> {
    const stored = (await this.options.store?.load()) ?? [];
    const missing = stored.filter(({ clientId }) => this.#outbox.find(clientId) === undefined);
    this.#outbox.restore(missing);
    for (const message of missing) this.#register(message);
  }

  /**
   * Resolves when the message is stored.
   *
   * @param queue messages of one queue are sent in order; by default the message has its own
   * @throws OutboxFullError, ClientIdInUseError, RejectedError, ConnectionLostError, EndedError
   */
  async send(
    frame: OutgoingMessage['frame'],
    queue?: string,
    { clientId = createClientId() }: SendOptions = {},
  ): Promise<SendResult> {
    const present = this.#outbox.find(clientId);
    if (present !== undefined && !isSameFrame(present.frame, frame))
      throw new ClientIdInUseError(`another message has the clientId ${clientId}`);
    return this.#pending.get(clientId)?.outcome ?? this.#add({ clientId, queue: queue ?? clientId, frame });
  }

  /** Sends the messages that may be sent now, and later the delayed ones. */
  sendWaiting(): void {
    clearTimeout(this.#timer);
    if (!this.connection.isReady) return;
    const nowMs = performance.now();
    // Messages that fail without being sent free their places, so more may be taken.
    for (let taken = this.#outbox.take(nowMs); taken.length > 0; taken = this.#outbox.take(nowMs)) {
      for (const message of taken) this.#transmit(message);
    }
    const nextAtMs = this.#outbox.nextAtMs(nowMs);
    if (nextAtMs === undefined) return;
    this.#timer = setTimeout(() => {
      this.sendWaiting();
    }, nextAtMs - nowMs);
  }

  /** Whether the frame is the reply to a message. */
  isReply({ ref }: AnyFrame): boolean {
    return this.#awaitingReply.has(ref);
  }

  /** Whether the frame is the reply to a message that was sent more than once. */
  isRepeat({ ref }: AnyFrame): boolean {
    return (this.#awaitingReply.get(ref)?.attempts ?? 0) > 1;
  }

  onFrame(frame: AnyFrame): void {
    const pending = this.#awaitingReply.get(frame.ref);
    if (pending === undefined) return;
    if (frame.type === 'conversation-created') pending.conversation = frame.payload;
    if (!isOneOf(frame, lastReplies)) return;
    this.#awaitingReply.delete(frame.ref);
    const message = this.#outbox.find(pending.clientId);
    if (message === undefined || this.#pending.get(pending.clientId) !== pending) return;
    if (frame.type === 'chat-message') this.#onStored(message, pending, frame.payload, frame.position);
    else this.#onError(message, pending, frame.payload);
    this.sendWaiting();
  }

  onLost(code: number): void {
    clearTimeout(this.#timer);
    this.#awaitingReply.clear();
    const inFlight = this.#outbox.inFlight;
    for (const { clientId } of inFlight) {
      const pending = this.#pending.get(clientId);
      if (pending === undefined) continue;
      clearTimeout(pending.timer);
      pending.isUncertain = true;
    }
    if (code === closeCodes.frameTooLarge) this.#failLargest(inFlight);
    this.#outbox.requeueAll();
  }

  /** Stops sending. Messages stay in the store. */
  end(error: ChatClientError): void {
    this.onLost(abnormalClosure);
    for (const pending of this.#pending.values()) pending.reject(error);
    this.#pending.clear();
  }

  #add(message: OutgoingMessage): Promise<SendResult> {
    this.#outbox.add(message);
    // Registered before it is sent, since sending may fail at once.
    const { outcome } = this.#register(message);
    this.options.store?.put(message);
    this.sendWaiting();
    return outcome;
  }

  #register(message: OutgoingMessage): PendingMessage {
    const pending = new PendingMessage(message);
    this.#pending.set(message.clientId, pending);
    return pending;
  }

  #transmit(message: OutgoingMessage): void {
    const pending = this.#pending.get(message.clientId);
    if (pending === undefined) return;
    const { clientId, frame } = message;
    if (pending.isUncertain && !this.#isDeduplicated(message)) {
      this.#fail(message, new ConnectionLostError('the reply was lost, and a repetition could be stored twice'));
      return;
    }
    if (frameSizeOf(frame.payload) > this.options.frameBytes) {
      this.#fail(message, new RejectedError('too-large', `larger than ${this.options.frameBytes} bytes`));
      return;
    }
    const ref = this.nextRef();
    this.#awaitingReply.set(ref, pending);
    pending.attempts += 1;
    pending.timer = setTimeout(() => {
      pending.isUncertain = true;
      this.#requeue(message, pending, 0);
      this.sendWaiting();
    }, this.options.responseMs);
    // Stores `firstSentAtMs`.
    this.options.store?.put(message);
    const key = this.connection.hasCapability('client-id') ? { client_id: clientId } : {};
    // The types of the two frames differ.
    if (frame.type === 'chat-message') this.connection.send(frame.type, { ...frame.payload, ...key }, ref);
    else this.connection.send(frame.type, { ...frame.payload, ...key }, ref);
  }

  #onStored(
    message: OutgoingMessage,
    pending: PendingMessage,
    payload: RichMessage,
    position: StreamPosition | undefined,
  ): void {
    const result = { message: { ...payload, seq: position?.seq }, conversation: pending.conversation };
    this.#remove(message.clientId, pending);
    pending.resolve(result);
    this.handlers.onSent(message, result);
  }

  #onError(message: OutgoingMessage, pending: PendingMessage, error: Frames['error']): void {
    const { code, retry_after_ms: retryAfterMs } = error;
    // The limit is per account, so all conversations pause.
    if (code === 'rate-limited') this.#outbox.pause(performance.now() + (retryAfterMs ?? 0));
    // After any other error the message is not stored.
    if (code === 'unavailable') pending.isUncertain = true;
    if (code === 'rate-limited' || (code === 'unavailable' && this.#isDeduplicated(message)))
      this.#requeue(message, pending, retryAfterMs ?? 0);
    else this.#fail(message, new RejectedError(code, error.message, { retryAfterMs }));
  }

  /** Whether the service stores the message once even if it is sent again. */
  #isDeduplicated({ firstSentAtMs = Date.now() }: OutgoingMessage): boolean {
    const ageMs = Date.now() - firstSentAtMs;
    // If the clock was set back by more than the margin, the age is unknown.
    return this.connection.hasCapability('client-id') && ageMs > -marginMs && ageMs < repeatableMs;
  }

  #requeue({ clientId }: OutgoingMessage, pending: PendingMessage, minMs: number): void {
    clearTimeout(pending.timer);
    this.#outbox.requeue(clientId, performance.now() + Math.max(minMs, pending.backoff.nextMs()));
  }

  #fail(message: OutgoingMessage, error: ChatClientError): void {
    const pending = this.#pending.get(message.clientId);
    if (pending === undefined) return;
    this.#remove(message.clientId, pending);
    pending.reject(error);
    this.handlers.onFailed(message, error);
  }

  #remove(clientId: string, { timer }: PendingMessage): void {
    clearTimeout(timer);
    this.#outbox.remove(clientId);
    this.#pending.delete(clientId);
    this.options.store?.remove(clientId);
  }

  /** Fails the largest message: the service closed the connection because a frame was too large. */
  #failLargest(messages: OutgoingMessage[]): void {
    const [largest] = [...messages].sort((a, b) => frameSizeOf(b.frame.payload) - frameSizeOf(a.frame.payload));
    if (largest !== undefined) this.#fail(largest, new RejectedError('too-large', 'larger than the service accepts'));
  }
}

/** Returns an upper bound of the size of a frame with the given payload, in bytes. */
function frameSizeOf(payload: object): number {
  return new TextEncoder().encode(JSON.stringify(payload)).length + envelopeBytes;
}
