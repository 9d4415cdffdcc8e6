import { type HeardMessage } from '../observation';

/** The messages that a hearer holds, in the order in which it heard of them. */
export class HeldMessages {
  #heard: HeardMessage[] = [];
  readonly #marks = new Set<string>();
  /** What is held at each place, and since when by the monotonic clock; by conversation and place. */
  readonly #places = new Map<string, { id: string; sinceMs: number }>();

  get heard(): HeardMessage[] {
    return this.#heard;
  }

  add(message: HeardMessage): void {
    this.#heard.push(message);
    this.#marks.add(message.mark);
    if (message.seq === null) return;
    const place = { id: message.id, sinceMs: performance.now() };
    this.#places.set(keyOf(message.conversationId, message.seq), place);
  }

  has(mark: string): boolean {
    return this.#marks.has(mark);
  }

  /** Whether the message at that place of a conversation has been held for so long. */
  hasHeld(conversationId: string, seq: number, id: string, ms: number): boolean {
    const place = this.#places.get(keyOf(conversationId, seq));
    return place?.id === id && performance.now() - place.sinceMs >= ms;
  }

  /** Drops what is held beyond a place of each conversation; everything of the conversations that are not named. */
  dropBeyond(kept: ReadonlyMap<string, number>): void {
    const isDropped = ({ conversationId, seq }: HeardMessage) => seq !== null && seq > (kept.get(conversationId) ?? 0);
    for (const message of this.#heard.filter(isDropped)) {
      this.#marks.delete(message.mark);
      this.#places.delete(keyOf(message.conversationId, message.seq ?? 0));
    }
    this.#heard = this.#heard.filter((message) => !isDropped(message));
  }
}

function keyOf(conversationId: string, seq: number): string {
  return `${conversationId} ${seq}`;
}

interface Told {
  id: string;
  conversation_id: string;
  content: string;
  timestamp: string;
}

/** @param seq its place, where it is known */
export function toHeard({ id, conversation_id, content, timestamp }: Told, seq: number | undefined): HeardMessage {
  return { conversationId: conversation_id, seq: seq ?? null, id, mark: markOf(content), timestamp };
}

/** The first word of a text. */
export function markOf(text: string): string {
  const [mark = ''] = text.split(' ', 1);
  return mark;
}
