import { RequestRetries } from './api/request-retries';
import { type ConnectionStart, lostReason } from './connection/connection';
import type { WebSocketConstructor } from './connection/frame-socket';
import { PersistentConnection, type PersistentConnectionHandlers } from './connection/persistent-connection';
import { Emitter } from './emitter';
import { EndedError } from './errors';
import { type ChatOptions, completed } from './options';
import type { Frames, SentFrames } from './protocol/contract';
import type { AnyFrame, FrameType, SentFrameType } from './protocol/frames';
import { DeliveredFrames } from './receiving/delivered-frames';
import { type ChatEvents, isProtocolFrame } from './receiving/events';
import { HeldFrames } from './receiving/held-frames';
import type { OutgoingMessage } from './sending/outbox';
import type { SendResult } from './sending/pending-message';
import { type RequestOptions, Requests } from './sending/requests';
import { type SendOptions, Sender } from './sending/sender';

/** `connected` when no further missed events will come, and messages are sent. */
export type ConnectionState = 'idle' | 'connecting' | 'connected' | 'ended';

interface Received {
  frame: AnyFrame;
  isRepeat: boolean;
  /** The record of delivered frames at the time of receipt. */
  delivered: DeliveredFrames;
}

/** Connects the parts of a chat: routes incoming frames, and reacts when the connection comes and goes. */
export class ChatCore {
  readonly events = new Emitter<ChatEvents>();
  readonly held = new HeldFrames<Received>((received) => {
    this.#deliver(received);
  });
  readonly retries: RequestRetries;
  #delivered = new DeliveredFrames();
  readonly #connection: PersistentConnection;
  readonly #requests: Requests;
  readonly #sender: Sender;
  #connecting: Promise<void> | undefined;

  constructor(options: ChatOptions, WebSocket: WebSocketConstructor) {
    const { session, capabilities, backoff, timeLimits, outbox, frameBytes } = completed(options);
    const { responseMs } = timeLimits;
    let lastRef = 0;
    // Unique over the life of the chat, so that a late reply of a previous connection matches no request.
    const nextRef = () => (lastRef += 1);
    this.#connection = new PersistentConnection(
      { session, WebSocket, capabilities, backoff, limits: timeLimits },
      this.#handlers(),
    );
    this.#requests = new Requests(responseMs, this.#connection, nextRef);
    this.retries = new RequestRetries(backoff, () => this.#connection.ended);
    this.#sender = new Sender({ ...outbox, frameBytes, responseMs }, this.#connection, nextRef, {
      onSent: (outgoing, result) => {
        this.events.emit('sent', { outgoing, ...result });
      },
      onFailed: (outgoing, error) => {
        this.events.emit('not-sent', { outgoing, error });
      },
    });
  }

  get state(): ConnectionState {
    if (this.#connection.ended !== undefined) return 'ended';
    if (this.#connection.isReady) return 'connected';
    return this.#connecting === undefined ? 'idle' : 'connecting';
  }

  /** The record of delivered frames. A new one replaces it when the state is lost. */
  get delivered(): DeliveredFrames {
    return this.#delivered;
  }

  get outgoing(): OutgoingMessage[] {
    return this.#sender.messages;
  }

  /** Resolves with the first connection. @throws EndedError */
  async connect(): Promise<void> {
    this.#throwIfEnded();
    this.#connecting ??= this.#connect();
    await this.#connecting;
  }

  retryNow(): void {
    this.#connection.retryNow();
    this.retries.skip();
  }

  close(): Promise<void> {
    return this.#connection.stop('closed');
  }

  /** Sends a message. @throws OutboxFullError, RejectedError, ConnectionLostError, EndedError */
  async send(frame: OutgoingMessage['frame'], queue?: string, options?: SendOptions): Promise<SendResult> {
    this.#throwIfEnded();
    return this.#sender.send(frame, queue, options);
  }

  /**
   * Sends a request and resolves with its reply.
   *
   * @throws RejectedError, ConnectionLostError, TimeLimitError, EndedError
   */
  async request<S extends SentFrameType, R extends FrameType>(
    type: S,
    payload: SentFrames[S],
    replies: readonly R[],
    options?: RequestOptions,
  ): Promise<Frames[R]> {
    this.#throwIfEnded();
    return this.#requests.send(type, payload, replies, options);
  }

  /** Sends a frame that has no reply, if there is a connection and the service supports it. */
  notify(type: 'typing', payload: SentFrames['typing']): void {
    if (this.#connection.isReady && this.#connection.hasCapability(type)) this.#connection.send(type, payload);
  }

  async #connect(): Promise<void> {
    await this.#sender.load();
    this.#throwIfEnded();
    await new Promise<void>((resolve, reject) => {
      this.events.once('connected', resolve);
      this.events.once('ended', () => {
        reject(this.#connection.ended ?? new EndedError('closed'));
      });
      this.#connection.start();
    });
  }

  #throwIfEnded(): void {
    if (this.#connection.ended !== undefined) throw this.#connection.ended;
  }

  #handlers(): PersistentConnectionHandlers {
    return {
      onReady: (start) => {
        this.#onReady(start);
      },
      onFrame: (frame) => {
        this.#receive(frame);
      },
      onUnknown: (frame) => {
        this.events.emit('unknown-frame', { frame });
      },
      onLost: ({ code, retryInMs, wasReady }) => {
        if (wasReady) this.#onLost(code);
        this.events.emit('disconnected', { code, retryInMs });
      },
      onEnded: (error) => {
        this.#onEnded(error);
      },
    };
  }

  #onReady(start: ConnectionStart): void {
    const reason = lostReason(start);
    // The service may assign delivered sequence numbers again, if its database lost its last commits.
    if (reason !== undefined) this.#delivered = new DeliveredFrames();
    // Waiting messages are sent before anything that listeners send.
    this.#sender.sendWaiting();
    this.#requests.onReady();
    this.retries.skip();
    this.events.emit('connected', undefined);
    // A listener may have closed the chat.
    if (this.#connection.hasEnded()) return;
    if (reason !== undefined) this.events.emit('state-lost', { reason });
    else if (start === 'resumed') this.events.emit('resumed', undefined);
  }

  #receive(frame: AnyFrame): void {
    if (isProtocolFrame(frame)) return;
    // `isRepeat` is read before the reply removes the message; the event is emitted before the promise resolves.
    const received = { frame, isRepeat: this.#sender.isRepeat(frame), delivered: this.#delivered };
    const isOfPromise = frame.type === 'error' && (this.#sender.isReply(frame) || this.#requests.isReply(frame));
    if (!isOfPromise) this.held.add(received);
    this.#sender.onFrame(frame);
    this.#requests.onFrame(frame);
  }

  #deliver({ frame, isRepeat, delivered }: Received): void {
    if (isProtocolFrame(frame) || this.#connection.ended !== undefined) return;
    // Frames that were held when the state was lost are part of the state that is fetched.
    if (delivered !== this.#delivered) return;
    if (this.#delivered.add(frame, isRepeat)) this.events.emit(frame.type, frame.payload, frame.position);
  }

  #onLost(code: number): void {
    this.#sender.onLost(code);
    this.#requests.onLost();
  }

  #onEnded(error: EndedError): void {
    this.#sender.end(error);
    this.#requests.end(error);
    this.retries.skip();
    this.events.emit('ended', { reason: error.reason, cause: error.cause });
  }
}
