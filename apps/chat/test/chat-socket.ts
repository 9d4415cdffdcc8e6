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
import { assertDescribedAnswer, assertDescribedRefusal } from './described-answers';

/** A frame from the chat. */
export interface ServerFrame<T extends ServerFrameType> {
  type: T;
  payload: ServerPayload<T>;
  /** The mark of our frame that this one answers. */
  ref?: FrameReference;
  /** Where a durable frame stands, on a connection that has asked for it. */
  stream?: string;
  seq?: number;
  cursor?: string;
}

/** A frame of any type; `type` tells what the payload is. */
export type AnyServerFrame = { [T in ServerFrameType]: ServerFrame<T> }[ServerFrameType];

/** With which code and words a connection ended. */
type Closing = Awaited<WebSocketClient['closed']>;

/**
 * A client's WebSocket to the chat. Every frame that arrives is checked against the contract, and against what is
 * described of the frame that it answers: one that breaks either fails whatever the test does next with the socket,
 * `close` at the latest.
 */
export class ChatSocket {
  private readonly checked: AnyServerFrame[] = [];
  private asked = 0;
  /** Whether it may hear what is not documented for everybody. */
  private asksForMore = false;
  /** The types of the frames that we have sent, by their mark. */
  private readonly marked = new Map<unknown, Set<string>>();

  private constructor(private readonly client: WebSocketClient) {}

  /** Resolves when the connection is open; rejects with the HTTP status where it is refused. */
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

  /** Sends a frame, right or wrong; `extra` stands beside type and payload. */
  send(type: string, payload: unknown = {}, extra: { ref?: unknown } = {}): void {
    this.asksForMore ||=
      type === 'authenticate' && z.object({ capabilities: z.array(z.string()) }).safeParse(payload).success;
    if (extra.ref !== undefined) this.marked.set(extra.ref, (this.marked.get(extra.ref) ?? new Set()).add(type));
    this.client.send(type, payload, extra);
  }

  /** Sends what is no frame. */
  sendRaw(data: string | Uint8Array): void {
    this.client.sendRaw(data);
  }

  /**
   * The oldest frame of the type (and with such a payload) that was not returned before; waits for it.
   *
   * @throws Error when it does not come within the time (5 s where none is given), and says what came instead
   */
  async next<T extends ServerFrameType>(
    type: T,
    hasPayload: (payload: ServerPayload<T>) => boolean = () => true,
    timeoutMs?: number,
  ): Promise<ServerFrame<T>> {
    const frame = await this.nextThat((each) => isOfType(each, type) && hasPayload(each.payload), timeoutMs);
    if (isOfType(frame, type)) return frame;
    throw new Error(`got ${frame.type} for ${type}`);
  }

  /** The payloads of the next so many frames of the type; each is waited for so long. */
  async nextPayloads<T extends ServerFrameType>(
    type: T,
    count: number,
    timeoutMs?: number,
  ): Promise<ServerPayload<T>[]> {
    const payloads: ServerPayload<T>[] = [];
    while (payloads.length < count) payloads.push((await this.next(type, undefined, timeoutMs)).payload);
    return payloads;
  }

  /** Like `next`, of any type. */
  async nextThat(matches: (frame: AnyServerFrame) => boolean, timeoutMs?: number): Promise<AnyServerFrame> {
    const frame = await this.client.next((each) => {
      this.check();
      assertServerFrame(each);
      return matches(each);
    }, timeoutMs);
    assertServerFrame(frame);
    return frame;
  }

  /**
   * Sends a frame with a mark of its own, and waits for the answer.
   *
   * @returns the payload of the answer
   * @throws Error when the chat refuses
   */
  async ask<T extends ServerFrameType>(
    type: ClientFrameType,
    payload: unknown,
    answer: T,
    timeoutMs?: number,
  ): Promise<ServerPayload<T>> {
    const ref = this.sendMarked(type, payload);
    const isAnswer = (frame: AnyServerFrame) => frame.ref === ref && (frame.type === answer || frame.type === 'error');
    const frame = await this.nextThat(isAnswer, timeoutMs);
    if (isOfType(frame, answer)) return frame.payload;
    throw new Error(`${type} was refused: ${JSON.stringify(frame.payload)}`);
  }

  /** Sends a frame that the chat is to refuse. @returns the payload of its `error` */
  async askInVain(type: ClientFrameType, payload: unknown, timeoutMs?: number): Promise<ServerPayload<'error'>> {
    const ref = this.sendMarked(type, payload);
    return (await this.next('error', (error) => error.ref === ref, timeoutMs)).payload;
  }

  /** Ends the connection and resolves when the server has agreed. */
  async close(): Promise<Closing> {
    await this.client.close();
    return this.closed;
  }

  private check() {
    for (const frame of this.client.frames.slice(this.checked.length)) {
      assertServerFrame(frame);
      this.assertDescribed(frame);
      this.checked.push(frame);
    }
  }

  private assertDescribed(frame: AnyServerFrame) {
    const asked = this.marked.get(frame.ref);
    if (!this.asksForMore && (frame.stream !== undefined || frame.type in extendedServerFrames)) {
      throw new Error(`not asked for: ${JSON.stringify(frame)}`);
    }
    if (asked !== undefined) assertDescribedAnswer(frame.type, asked);
    if (frame.type === 'error') assertDescribedRefusal(frame.payload);
  }

  private sendMarked(type: ClientFrameType, payload: unknown): string {
    this.asked += 1;
    const ref = `asked-${this.asked}`;
    this.send(type, payload, { ref });
    return ref;
  }
}

const place = framePosition.partial();
const typed = z.looseObject({ type: z.keyof(z.object(serverFrames)) });
/** Whole frames, by type. Made once: zod compiles a schema when it first parses. */
const frames = new Map(
  typed.shape.type.options.map((type) => [
    type,
    z.object({ type: z.literal(type), payload: serverFrames[type], ref: frameReference.optional(), ...place.shape }),
  ]),
);

/** Frames that were found right; each is looked at more than once. */
const right = new WeakSet<object>();

/** @throws ContractError */
function assertServerFrame(frame: object): asserts frame is AnyServerFrame {
  if (right.has(frame)) return;
  const { type } = parseByContract(typed, frame, 'a frame');
  parseByContract(frames.get(type) ?? z.never(), frame, `a frame of the type ${type}`);
  right.add(frame);
}

function isOfType<T extends ServerFrameType>(frame: AnyServerFrame, type: T): frame is AnyServerFrame & ServerFrame<T> {
  return frame.type === type;
}
