import {
  extendedServerFrames,
  framePosition,
  frameReference,
  serverFrames,
  type ClientFrameType,
  type FrameReference,
  type ServerFrameType,
  type ServerPayload,
} from '@waggle/contracts';
import { WebSocketClient } from '@waggle/testing';
import { z } from 'zod';
import { parseByContract } from './contract';
import { assertDescribedError, assertDescribedReply } from './described-replies';

/** A frame from the chat. */
export interface ServerFrame<T extends ServerFrameType> {
  type: T;
  payload: ServerPayload<T>;
  /** The reference of the frame that this is the reply to. */
  ref?: FrameReference;
  /** The position of a durable frame, on a connection with `sync`. */
  stream?: string;
  seq?: number;
  cursor?: string;
  by?: string;
  timestamp?: string;
}

/** A frame of any type. */
export type AnyServerFrame = { [T in ServerFrameType]: ServerFrame<T> }[ServerFrameType];

/** The close code and reason of a connection. */
type Closing = Awaited<WebSocketClient['closed']>;

/**
 * A client's WebSocket to the chat. Every frame is checked against the contract and the API description. A violation
 * fails the next use of the socket, `close` at the latest.
 */
export class ChatSocket {
  private readonly checked: AnyServerFrame[] = [];
  private requests = 0;
  /** Whether it may receive extensions. */
  private hasCapabilities = false;
  /** The types of the sent frames, by reference. */
  private readonly sentTypes = new Map<unknown, Set<string>>();

  private constructor(private readonly client: WebSocketClient) {}

  /** Resolves when the connection is open; rejects with the HTTP status if it is rejected. */
  static async open(url: string, headers: Record<string, string> = {}): Promise<ChatSocket> {
    return new ChatSocket(await WebSocketClient.connect(url, { headers }));
  }

  /** All frames so far, in the order of arrival. */
  get frames(): readonly AnyServerFrame[] {
    this.check();
    return this.checked;
  }

  /** The payloads of all frames of that type so far. */
  received<T extends ServerFrameType>(type: T): ServerPayload<T>[] {
    return this.frames.flatMap((frame) => (isOfType(frame, type) ? [frame.payload] : []));
  }

  /** Resolves when the connection has ended. */
  get closed(): Promise<Closing> {
    return this.client.closed.then((closing) => {
      this.check();
      return closing;
    });
  }

  /** Sends a frame, valid or not, with further fields. */
  send(type: string, payload: unknown = {}, extra: { ref?: unknown } = {}): void {
    this.hasCapabilities ||=
      type === 'authenticate' && z.object({ capabilities: z.array(z.string()) }).safeParse(payload).success;
    if (extra.ref !== undefined) this.sentTypes.set(extra.ref, (this.sentTypes.get(extra.ref) ?? new Set()).add(type));
    this.client.send(type, payload, extra);
  }

  /** Sends data that is not a frame. */
  sendRaw(data: string | Uint8Array): void {
    this.client.sendRaw(data);
  }

  /**
   * Returns the oldest frame of a type, with a matching payload, that was not returned before. Waits for it.
   *
   * @throws Error with the received frames on a timeout (5 s by default)
   */
  async next<T extends ServerFrameType>(
    type: T,
    hasPayload: (payload: ServerPayload<T>) => boolean = () => true,
    timeoutMs?: number,
  ): Promise<ServerFrame<T>> {
    const frame = await this.nextMatching((each) => isOfType(each, type) && hasPayload(each.payload), timeoutMs);
    if (isOfType(frame, type)) return frame;
    throw new Error(`got ${frame.type} for ${type}`);
  }

  /** Returns the payloads of the next frames of a type. The timeout applies to each. */
  async nextPayloads<T extends ServerFrameType>(
    type: T,
    count: number,
    timeoutMs?: number,
  ): Promise<ServerPayload<T>[]> {
    const payloads: ServerPayload<T>[] = [];
    while (payloads.length < count) payloads.push((await this.next(type, undefined, timeoutMs)).payload);
    return payloads;
  }

  /** Returns the oldest matching frame of any type, as `next` does. */
  async nextMatching(matches: (frame: AnyServerFrame) => boolean, timeoutMs?: number): Promise<AnyServerFrame> {
    const frame = await this.client.next((each) => {
      this.check();
      assertServerFrame(each);
      return matches(each);
    }, timeoutMs);
    assertServerFrame(frame);
    return frame;
  }

  /**
   * Sends a frame with a reference, and waits for the reply.
   *
   * @returns the payload of the reply
   * @throws Error if the frame is rejected
   */
  async request<T extends ServerFrameType>(
    type: ClientFrameType,
    payload: unknown,
    reply: T,
    timeoutMs?: number,
  ): Promise<ServerPayload<T>> {
    const ref = this.sendWithRef(type, payload);
    const isReply = (frame: AnyServerFrame) => frame.ref === ref && (frame.type === reply || frame.type === 'error');
    const frame = await this.nextMatching(isReply, timeoutMs);
    if (isOfType(frame, reply)) return frame.payload;
    throw new Error(`${type} was rejected: ${JSON.stringify(frame.payload)}`);
  }

  /** Sends a frame that is rejected. @returns the payload of the `error` */
  async requestError(type: ClientFrameType, payload: unknown, timeoutMs?: number): Promise<ServerPayload<'error'>> {
    const ref = this.sendWithRef(type, payload);
    return (await this.next('error', (error) => error.ref === ref, timeoutMs)).payload;
  }

  /** Closes the connection and resolves when the server has confirmed it. */
  async close(): Promise<Closing> {
    await this.client.close();
    return this.closed;
  }

  private check() {
    while (this.checked.length < this.client.frames.length) {
      const frame = this.client.frames[this.checked.length] ?? {};
      assertServerFrame(frame);
      this.assertDescribed(frame);
      this.checked.push(frame);
    }
  }

  private assertDescribed(frame: AnyServerFrame) {
    const sent = this.sentTypes.get(frame.ref);
    if (!this.hasCapabilities && (frame.stream !== undefined || frame.type in extendedServerFrames)) {
      throw new Error(`not requested: ${JSON.stringify(frame)}`);
    }
    if (sent !== undefined) assertDescribedReply(frame.type, sent);
    if (frame.type === 'error') assertDescribedError(frame.payload);
  }

  private sendWithRef(type: ClientFrameType, payload: unknown): string {
    this.requests += 1;
    const ref = `request-${this.requests}`;
    this.send(type, payload, { ref });
    return ref;
  }
}

const position = framePosition.partial();
const typed = z.looseObject({ type: z.keyof(z.object(serverFrames)) });
/** The schemas of frames, by type. Created once, since zod compiles a schema when it first parses. */
const frames = new Map<unknown, z.ZodType>(
  typed.shape.type.options.map((type) => [
    type,
    z.object({ type: z.literal(type), payload: serverFrames[type], ref: frameReference.optional(), ...position.shape }),
  ]),
);

/** Frames that were checked already. */
const valid = new WeakSet<object>();

/** @throws ContractError */
function assertServerFrame(frame: object): asserts frame is AnyServerFrame {
  if (valid.has(frame)) return;
  const type = 'type' in frame ? frame.type : undefined;
  parseByContract(frames.get(type) ?? typed, frame, `a frame of the type ${String(type)}`);
  valid.add(frame);
}

function isOfType<T extends ServerFrameType>(frame: AnyServerFrame, type: T): frame is AnyServerFrame & ServerFrame<T> {
  return frame.type === type;
}
