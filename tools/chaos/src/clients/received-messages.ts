import { type ReceivedMessage, tagOf } from '../observation';

/** The messages that a client received, in the order of receipt; messages that it fetched again come last. */
export class ReceivedMessages {
  messages: ReceivedMessage[] = [];
  private readonly tags = new Set<string>();
  /** The message at each conversation and sequence number, with the time of receipt by the monotonic clock. */
  private readonly bySeq = new Map<string, { id: string; receivedAtMs: number }>();

  add(message: ReceivedMessage): void {
    this.messages.push(message);
    this.tags.add(message.tag);
    if (message.seq === null) return;
    const received = { id: message.id, receivedAtMs: performance.now() };
    this.bySeq.set(keyOf(message.conversationId, message.seq), received);
  }

  has(tag: string): boolean {
    return this.tags.has(tag);
  }

  /** Whether this message was received at this sequence number at least `ms` ago. */
  hasHadFor(ms: number, conversationId: string, { seq, id }: { seq: number; id: string }): boolean {
    const received = this.bySeq.get(keyOf(conversationId, seq));
    return received?.id === id && performance.now() - received.receivedAtMs >= ms;
  }

  /**
   * Removes the messages after the given sequence number of their conversation; all that have one if the conversation
   * is not given.
   */
  removeAfter(seqs: ReadonlyMap<string, number>): void {
    const isRemoved = ({ conversationId, seq }: ReceivedMessage) =>
      seq !== null && seq > (seqs.get(conversationId) ?? 0);
    for (const message of this.messages.filter(isRemoved)) {
      this.tags.delete(message.tag);
      this.bySeq.delete(keyOf(message.conversationId, message.seq ?? 0));
    }
    this.messages = this.messages.filter((message) => !isRemoved(message));
  }
}

function keyOf(conversationId: string, seq: number): string {
  return `${conversationId} ${seq}`;
}

interface WireMessage {
  id: string;
  conversation_id: string;
  content: string;
  timestamp: string;
}

export function toReceived(message: WireMessage, seq: number | undefined): ReceivedMessage {
  const { id, conversation_id, content, timestamp } = message;
  return { conversationId: conversation_id, seq: seq ?? null, id, tag: tagOf(content), timestamp };
}
