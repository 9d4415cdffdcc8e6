import type { Place } from './frames';
import { isObject } from './guards';

/** How far a stream was heard. */
interface Heard {
  seq: number;
  /** Whether nothing more of that place is news. */
  isWhole: boolean;
  /** Which frames of that place: one place may be several frames, and the connection may end between them. */
  frames: Set<string>;
  /** Frames beyond it that were heard out of turn, as answers to what was sent again. */
  early: Map<number, Set<string>>;
}

/** Something with a place, and with an identity among the frames of that place. */
interface Placed {
  type: string;
  payload: unknown;
  place: Place | undefined;
}

/**
 * What was heard of each stream, so that everything is heard once: a resumed connection begins with frames that were the
 * last ones of the former, and a message that is sent again is answered again.
 */
export class Places {
  readonly #streams = new Map<string, Heard>();

  /**
   * @param isRepeat whether it answers something that was sent more than once: then it may come before what precedes it
   * @returns whether it is news
   */
  hear(frame: Placed, isRepeat = false): boolean {
    if (frame.place === undefined) return true;
    const { stream, seq } = frame.place;
    const heard = this.#of(stream);
    const identity = identityOf(frame);
    if (seq < heard.seq) return false;
    if (seq === heard.seq) return !heard.isWhole && isAdded(heard.frames, identity);
    const frames = heard.early.get(seq) ?? new Set();
    if (isRepeat) this.#streams.set(stream, { ...heard, early: heard.early.set(seq, frames) });
    else this.#goTo({ ...heard, seq, frames, isWhole: false }, stream);
    return isAdded(frames, identity);
  }

  /** Whatever lies at or before the place is known, by a fetch say. */
  know({ stream, seq }: Place): void {
    const heard = this.#of(stream);
    if (seq >= heard.seq) this.#goTo({ ...heard, seq, frames: new Set(), isWhole: true }, stream);
  }

  #goTo(heard: Heard, stream: string): void {
    for (const seq of heard.early.keys()) if (seq <= heard.seq) heard.early.delete(seq);
    this.#streams.set(stream, heard);
  }

  #of(stream: string): Heard {
    return this.#streams.get(stream) ?? { seq: -1, isWhole: true, frames: new Set(), early: new Map() };
  }
}

/** Tells the frames of one place apart: no two of them have the same type and are about the same. */
function identityOf({ type, payload }: Placed): string {
  const { id, username, member }: { id?: unknown; username?: unknown; member?: unknown } = isObject(payload)
    ? payload
    : {};
  return JSON.stringify([type, id ?? username ?? member]);
}

function isAdded(set: Set<string>, element: string): boolean {
  return set.size < set.add(element).size;
}
