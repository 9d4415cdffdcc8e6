import { type HeardMessage } from '../observation';

/** The messages that a hearer holds, in the order in which it heard of them. */
export class HeldMessages {
  readonly #heard: HeardMessage[] = [];
  readonly #marks = new Set<string>();
  readonly #greatestSeqs = new Map<string, number>();

  get heard(): HeardMessage[] {
    return this.#heard;
  }

  add(message: HeardMessage): void {
    this.#heard.push(message);
    this.#marks.add(message.mark);
    const { conversationId, seq } = message;
    if (seq !== null) this.#greatestSeqs.set(conversationId, Math.max(seq, this.greatestSeq(conversationId)));
  }

  has(mark: string): boolean {
    return this.#marks.has(mark);
  }

  /** The greatest place of a conversation; 0 where nothing is held. */
  greatestSeq(conversationId: string): number {
    return this.#greatestSeqs.get(conversationId) ?? 0;
  }
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
