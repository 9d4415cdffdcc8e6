import type { StreamPosition } from '../protocol/frames';
import { isObject } from '../protocol/guards';

/** What was delivered of a stream. */
interface Delivered {
  /** Entries before this one count as delivered; -1 before the first. */
  seq: number;
  /** Whether all frames of `seq` are delivered. */
  isComplete: boolean;
  /** The delivered frames of `seq`: an entry may consist of several, and the connection may be lost between them. */
  frames: Set<string>;
  /** Frames after `seq` that were delivered early, as replies to messages that were sent again. */
  early: Map<number, Set<string>>;
}

interface PositionedFrame {
  type: string;
  payload: unknown;
  position: StreamPosition | undefined;
}

/**
 * Recognizes repeated frames, so that each is delivered once: a resumed connection starts with the last frames of the
 * previous one, and a message that is sent again gets its reply again.
 */
export class DeliveredFrames {
  readonly #streams = new Map<string, Delivered>();

  /**
   * Records a frame.
   *
   * @param isRepeat whether it is the reply to something that was sent more than once, which may precede earlier
   * entries
   * @returns whether the frame is new
   */
  add(frame: PositionedFrame, isRepeat = false): boolean {
    if (frame.position === undefined) return true;
    const { stream, seq } = frame.position;
    const delivered = this.#of(stream);
    const identity = identityOf(frame);
    if (seq < delivered.seq) return false;
    if (seq === delivered.seq) return !delivered.isComplete && addTo(delivered.frames, identity);
    const frames = delivered.early.get(seq) ?? new Set();
    if (isRepeat) this.#streams.set(stream, { ...delivered, early: delivered.early.set(seq, frames) });
    else this.#advance({ ...delivered, seq, frames, isComplete: false }, stream);
    return addTo(frames, identity);
  }

  /** Marks all entries up to a position as delivered, for example because they were fetched. */
  skipTo({ stream, seq }: StreamPosition): void {
    const delivered = this.#of(stream);
    if (seq >= delivered.seq) this.#advance({ ...delivered, seq, frames: new Set(), isComplete: true }, stream);
  }

  #advance(delivered: Delivered, stream: string): void {
    for (const seq of delivered.early.keys()) if (seq <= delivered.seq) delivered.early.delete(seq);
    this.#streams.set(stream, delivered);
  }

  #of(stream: string): Delivered {
    return this.#streams.get(stream) ?? { seq: -1, isComplete: true, frames: new Set(), early: new Map() };
  }
}

/** Distinguishes the frames of one entry: no two have the same type and the same subject. */
function identityOf({ type, payload }: PositionedFrame): string {
  const { id, username, member }: { id?: unknown; username?: unknown; member?: unknown } = isObject(payload)
    ? payload
    : {};
  return JSON.stringify([type, id ?? username ?? member]);
}

/** Adds an element. @returns whether it is new */
function addTo(set: Set<string>, element: string): boolean {
  if (set.has(element)) return false;
  set.add(element);
  return true;
}
