import { abnormalClosure, closeCodes } from './close-codes';
import { createClientId } from './client-id';
import { type ChatClientError, ClientIdInUseError, ConnectionLostError, RefusedError } from './errors';
import { frameSizeOf } from './frame-size';
import type { AnyFrame, Frames, Place } from './frames';
import type { Link } from './link';
import { isSameFrame, Outbox, type OutboxLimits, type OutboxStore, type OutgoingMessage } from './outbox';
import type { Refs } from './refs';
import type { Message } from './resources';
import { Sending, type Stored } from './sending';

export interface SendOptions {
  /**
   * The caller's own mark (1 to 64 characters, no other message's), to know the message by in `outbox` and `sent`. While it
   * waits, the same once more with the same mark is the same message.
   */
  clientId?: string;
}

interface SenderOptions extends OutboxLimits {
  store: OutboxStore | undefined;
  /** The largest frame that the service takes, in bytes. */
  frameBytes: number;
  /** How long an answer may take before the message is sent again. */
  answerMs: number;
}

interface SenderHandlers {
  onStored(message: OutgoingMessage, stored: Stored): void;
  onRefused(message: OutgoingMessage, error: ChatClientError): void;
}

/** The service knows a repeated message again for 24 hours; an hour of them is for clocks and for the way. */
const repeatableMs = 23 * 60 * 60 * 1_000;

/** Sends what is in the outbox, again and again until it is answered. */
export class Sender {
  readonly #outbox: Outbox;
  readonly #sendings = new Map<string, Sending>();
  /** Which message each reference of this connection belongs to. */
  readonly #byRef = new Map<number, string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #loading: Promise<void> | undefined;

  constructor(
    private readonly options: SenderOptions,
    private readonly link: Link,
    private readonly refs: Refs,
    private readonly handlers: SenderHandlers,
  ) {
    this.#outbox = new Outbox(options);
  }

  get messages(): OutgoingMessage[] {
    return this.#outbox.messages;
  }

  /** Takes over what the store has kept. */
  load(): Promise<void> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  /**
   * Resolves when it is stored.
   *
   * @param lane what it keeps its order in; one of its own where there is none
   * @throws OutboxFullError, ClientIdInUseError, RefusedError, ConnectionLostError, EndedError
   */
  async send(
    frame: OutgoingMessage['frame'],
    lane?: string,
    { clientId = createClientId() }: SendOptions = {},
  ): Promise<Stored> {
    const present = this.#outbox.find(clientId);
    if (present !== undefined && !isSameFrame(present.frame, frame))
      throw new ClientIdInUseError(`another message with the clientId ${clientId} waits`);
    return this.#sendings.get(clientId)?.outcome ?? this.#add({ clientId, lane: lane ?? clientId, frame });
  }

  onReady(): void {
    this.#pump();
  }

  /** Whether the frame answers one of ours. */
  knows(frame: AnyFrame): boolean {
    return this.#of(frame) !== undefined;
  }

  /** Whether the frame answers something that was sent more than once. */
  isRepeat(frame: AnyFrame): boolean {
    return (this.#of(frame)?.sending.times ?? 0) > 1;
  }

  onFrame(frame: AnyFrame): void {
    const found = this.#of(frame);
    if (found === undefined) return;
    const { message, sending } = found;
    if (frame.type === 'conversation-created') sending.conversation = frame.payload;
    else if (frame.type === 'chat-message') this.#stored(message, sending, frame.payload, frame.place);
    else if (frame.type === 'error') this.#refused(message, sending, frame.payload);
    this.#pump();
  }

  onLost(code: number): void {
    clearTimeout(this.#timer);
    this.#byRef.clear();
    const inFlight = this.#outbox.inFlight;
    for (const { clientId } of inFlight) clearTimeout(this.#sendings.get(clientId)?.timer);
    if (code === closeCodes.frameTooLarge) this.#refuseLargest(inFlight);
    this.#outbox.repeatAll();
  }

  /** Nothing goes any more. What the store keeps stays there. */
  end(error: ChatClientError): void {
    this.onLost(abnormalClosure);
    for (const sending of this.#sendings.values()) sending.reject(error);
    this.#sendings.clear();
  }

  async #load(): Promise<void> {
    const kept = (await this.options.store?.load()) ?? [];
    const missing = kept.filter(({ clientId }) => this.#outbox.find(clientId) === undefined);
    this.#outbox.restore(missing);
    for (const message of missing) this.#begin(message);
  }

  #add(message: OutgoingMessage): Promise<Stored> {
    this.#outbox.add(message);
    // Before it goes: it may be refused at once.
    const { outcome } = this.#begin(message);
    this.options.store?.put(message);
    this.#pump();
    return outcome;
  }

  #begin(message: OutgoingMessage): Sending {
    const sending = new Sending(message);
    this.#sendings.set(message.clientId, sending);
    return sending;
  }

  #pump(): void {
    clearTimeout(this.#timer);
    if (!this.link.isReady) return;
    const nowMs = Date.now();
    // What is not even sent makes room for more.
    for (let taken = this.#outbox.take(nowMs); taken.length > 0; taken = this.#outbox.take(nowMs)) {
      for (const message of taken) this.#transmit(message, nowMs);
    }
    const nextAtMs = this.#outbox.nextAtMs(nowMs);
    if (nextAtMs === undefined) return;
    this.#timer = setTimeout(() => {
      this.#pump();
    }, nextAtMs - nowMs);
  }

  #transmit(message: OutgoingMessage, nowMs: number): void {
    const sending = this.#sendings.get(message.clientId);
    if (sending === undefined) return;
    const { clientId, frame } = message;
    const isKnownAgain = this.link.has('client-id') && nowMs - (message.firstSentAtMs ?? nowMs) < repeatableMs;
    if (sending.isUncertain && !isKnownAgain) {
      this.#fail(message, new ConnectionLostError('the answer was lost, and to send it again could double it'));
      return;
    }
    if (frameSizeOf(frame.payload) > this.options.frameBytes) {
      this.#fail(message, new RefusedError('too-large', `larger than ${this.options.frameBytes} bytes`));
      return;
    }
    const ref = this.refs.next();
    this.#byRef.set(ref, clientId);
    sending.times += 1;
    sending.isUncertain = true;
    sending.timer = setTimeout(() => {
      this.#repeat(message, sending, 0);
      this.#pump();
    }, this.options.answerMs);
    this.options.store?.put(message);
    const mark = this.link.has('client-id') ? { client_id: clientId } : {};
    if (frame.type === 'chat-message') this.link.send(frame.type, { ...frame.payload, ...mark }, ref);
    else this.link.send(frame.type, { ...frame.payload, ...mark }, ref);
  }

  #stored(message: OutgoingMessage, sending: Sending, payload: Message, place: Place | undefined): void {
    const stored = { message: { ...payload, seq: place?.seq }, conversation: sending.conversation };
    this.#forget(message.clientId, sending);
    sending.resolve(stored);
    this.handlers.onStored(message, stored);
  }

  #refused(message: OutgoingMessage, sending: Sending, error: Frames['error']): void {
    const { code, retry_after_ms: retryAfterMs } = error;
    sending.isUncertain = false;
    // The whole account is too fast, not this conversation.
    if (code === 'rate-limited') this.#outbox.pause(Date.now() + (retryAfterMs ?? 0));
    if (code === 'rate-limited' || code === 'unavailable') this.#repeat(message, sending, retryAfterMs ?? 0);
    else this.#fail(message, new RefusedError(code, error.message, { retryAfterMs }));
  }

  #repeat({ clientId }: OutgoingMessage, sending: Sending, atLeastMs: number): void {
    clearTimeout(sending.timer);
    this.#outbox.repeat(clientId, Date.now() + Math.max(atLeastMs, sending.backoff.nextMs()));
  }

  #fail(message: OutgoingMessage, error: ChatClientError): void {
    const sending = this.#sendings.get(message.clientId);
    if (sending === undefined) return;
    this.#forget(message.clientId, sending);
    sending.reject(error);
    this.handlers.onRefused(message, error);
  }

  #forget(clientId: string, { timer }: Sending): void {
    clearTimeout(timer);
    this.#outbox.remove(clientId);
    this.#sendings.delete(clientId);
    this.options.store?.remove(clientId);
  }

  /** The service ended the connection over the size of a frame: if any of these, it was the largest. */
  #refuseLargest(messages: OutgoingMessage[]): void {
    const [largest] = [...messages].sort((a, b) => frameSizeOf(b.frame.payload) - frameSizeOf(a.frame.payload));
    if (largest !== undefined) this.#fail(largest, new RefusedError('too-large', 'larger than the service takes'));
  }

  #of({ ref }: AnyFrame): { message: OutgoingMessage; sending: Sending } | undefined {
    const clientId = typeof ref === 'number' ? this.#byRef.get(ref) : undefined;
    const sending = clientId === undefined ? undefined : this.#sendings.get(clientId);
    const message = clientId === undefined ? undefined : this.#outbox.find(clientId);
    return sending === undefined || message === undefined ? undefined : { message, sending };
  }
}
