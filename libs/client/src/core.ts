import type { Beginning } from './connection';
import { Emitter } from './emitter';
import { EndedError } from './errors';
import { type ChatEvents, isProtocolFrame } from './events';
import type { AnyFrame, Frames, FrameType, Place, SentFrames, SentFrameType } from './frames';
import { HeldFrames } from './held-frames';
import { Link, type LinkHandlers } from './link';
import { type ChatOptions, completed } from './options';
import type { OutgoingMessage } from './outbox';
import { Places } from './places';
import { Refs } from './refs';
import { type RequestOptions, Requests } from './requests';
import { Retries } from './retries';
import { type SendOptions, Sender } from './sender';
import type { Stored } from './sending';
import type { WebSocketConstructor } from './web-socket';

/** `connected` once everything that was missed has come and messages go. */
export type ConnectionState = 'idle' | 'connecting' | 'connected' | 'ended';

interface Received {
  frame: AnyFrame;
  isRepeat: boolean;
  /** What was heard when it came. */
  places: Places;
}

/** What is behind a chat: who gets which frame, and what happens when the connection comes and goes. */
export class ChatCore {
  readonly events = new Emitter<ChatEvents>();
  #places = new Places();
  readonly #held = new HeldFrames<Received>((received) => {
    this.#tell(received);
  });
  readonly #link: Link;
  readonly #requests: Requests;
  readonly #sender: Sender;
  readonly #retries: Retries;
  #connecting: Promise<void> | undefined;

  constructor(options: ChatOptions, WebSocket: WebSocketConstructor) {
    const { session, capabilities, backoff, timeLimits, outbox, frameBytes } = completed(options);
    const { answerMs } = timeLimits;
    const refs = new Refs();
    this.#link = new Link({ session, WebSocket, capabilities, backoff, limits: timeLimits }, this.#handlers());
    this.#requests = new Requests(answerMs, this.#link, refs);
    this.#retries = new Retries(backoff, () => this.#link.over);
    this.#sender = new Sender({ ...outbox, frameBytes, answerMs }, this.#link, refs, {
      onStored: (outgoing, stored) => {
        this.events.emit('sent', { outgoing, ...stored });
      },
      onRefused: (outgoing, error) => {
        this.events.emit('not-sent', { outgoing, error });
      },
    });
  }

  get state(): ConnectionState {
    if (this.#link.over !== undefined) return 'ended';
    if (this.#link.isReady) return 'connected';
    return this.#connecting === undefined ? 'idle' : 'connecting';
  }

  get outgoing(): OutgoingMessage[] {
    return this.#sender.messages;
  }

  /** Resolves with the first connection. @throws EndedError */
  connect(): Promise<void> {
    this.#connecting ??= this.#connect();
    return this.#connecting;
  }

  retryNow(): void {
    this.#link.retryNow();
    this.#retries.skip();
  }

  close(): Promise<void> {
    return this.#link.stop('closed');
  }

  /** @throws OutboxFullError, RefusedError, ConnectionLostError, EndedError */
  async send(frame: OutgoingMessage['frame'], lane?: string, options?: SendOptions): Promise<Stored> {
    this.#requireLife();
    return this.#sender.send(frame, lane, options);
  }

  /** @throws RefusedError, ConnectionLostError, TimeLimitError, EndedError */
  async ask<S extends SentFrameType, A extends FrameType>(
    type: S,
    payload: SentFrames[S],
    answers: readonly A[],
    options?: RequestOptions,
  ): Promise<Frames[A]> {
    this.#requireLife();
    return this.#requests.ask(type, payload, answers, options);
  }

  /** Sends what is not answered, if that is possible now and the service knows it. */
  hint(type: 'typing', payload: SentFrames['typing']): void {
    if (this.#link.isReady && this.#link.has(type)) this.#link.send(type, payload);
  }

  untilAnswered<T>(ask: () => Promise<T>): Promise<T> {
    return this.#retries.untilAnswered(ask);
  }

  hold<T>(work: () => Promise<T>): Promise<T> {
    return this.#held.during(work);
  }

  /** What lies at or before the place is no news. */
  know(place: Place): void {
    this.#places.know(place);
  }

  /** As `know`, for a fetch that begins now: without effect once the state is lost, since what it fetches may be of before that. */
  knowing(): (place: Place) => void {
    const places = this.#places;
    return (place) => {
      places.know(place);
    };
  }

  async #connect(): Promise<void> {
    await this.#sender.load();
    this.#requireLife();
    await new Promise<void>((resolve, reject) => {
      this.events.once('connected', resolve);
      this.events.once('ended', () => {
        reject(this.#link.over ?? new EndedError('closed'));
      });
      this.#link.start();
    });
  }

  #requireLife(): void {
    if (this.#link.over !== undefined) throw this.#link.over;
  }

  #handlers(): LinkHandlers {
    return {
      onReady: (beginning) => {
        this.#begin(beginning);
      },
      onFrame: (frame) => {
        this.#receive(frame);
      },
      onUnknown: (frame) => {
        this.events.emit('unknown-frame', { frame });
      },
      onLost: ({ code, retryInMs, wasReady }) => {
        if (wasReady) this.#lose(code);
        this.events.emit('disconnected', { code, retryInMs });
      },
      onEnded: (error) => {
        this.#end(error);
      },
    };
  }

  #begin(beginning: Beginning): void {
    const isLost = beginning !== 'first' && beginning !== 'resumed';
    // The service may give places again that we have heard: its database may lack what it had committed last.
    if (isLost) this.#places = new Places();
    // What has waited goes before what listeners ask for.
    this.#sender.onReady();
    this.#requests.onReady();
    this.events.emit('connected', undefined);
    if (isLost) this.events.emit('state-lost', { reason: beginning });
    else if (beginning === 'resumed') this.events.emit('resumed', undefined);
  }

  #receive(frame: AnyFrame): void {
    if (isProtocolFrame(frame)) return;
    // Looked up before it is answered, told before whoever waits for it goes on.
    const received = { frame, isRepeat: this.#sender.isRepeat(frame), places: this.#places };
    const isAwaited = frame.type === 'error' && (this.#sender.knows(frame) || this.#requests.knows(frame));
    if (!isAwaited) this.#held.take(received);
    this.#sender.onFrame(frame);
    this.#requests.onFrame(frame);
  }

  #tell({ frame, isRepeat, places }: Received): void {
    if (isProtocolFrame(frame) || this.#link.over !== undefined) return;
    // What was held when the state was lost is fetched.
    if (places !== this.#places) return;
    if (this.#places.hear(frame, isRepeat)) this.events.emit(frame.type, frame.payload, frame.place);
  }

  #lose(code: number): void {
    this.#sender.onLost(code);
    this.#requests.onLost();
  }

  #end(error: EndedError): void {
    this.#sender.end(error);
    this.#requests.end(error);
    this.#retries.skip();
    this.events.emit('ended', { reason: error.reason, cause: error.cause });
  }
}
