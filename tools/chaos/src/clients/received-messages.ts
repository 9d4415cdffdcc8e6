import { type ReceivedMessage, tagOf } from '../observation';

/** The messages that a client received, in the order of receipt. A message that is fetched again moves to the end. */
export class ReceivedMessages {
  messages: ReceivedMessage[] = [];
  private readonly tags = new Set<string>();
  private readonly lastIds = new Map<string, string>();
  /** The message at each position (conversation and sequence number), and when it arrived (`performance.now()`). */
  private readonly bySeq = new Map<string, { id: string; receivedAtMs: number }>();

  add(message: ReceivedMessage): void {
    this.messages.push(message);
    this.tags.add(message.tag);
    this.lastIds.set(message.conversationId, message.id);
    if (message.seq === null) return;
    const received = { id: message.id, receivedAtMs: performance.now() };
    this.bySeq.set(keyOf(message.conversationId, message.seq), received);
  }

  has(tag: string): boolean {
    return this.tags.has(tag);
  }

  /** The id of the last received message of a conversation. */
  lastOf(conversationId: string): string | undefined {
    return this.lastIds.get(conversationId);
  }

  /** Whether the client received this message, with this sequence number, at least `forMs` ago. */
  hasHeld(conversationId: string, { seq, id }: { seq: number; id: string }, forMs: number): boolean {
    const received = this.bySeq.get(keyOf(conversationId, seq));
    return received?.id === id && performance.now() - received.receivedAtMs >= forMs;
  }

  /**
   * Removes each message after `lastKept` of its conversation, and all messages of a conversation that is not in
   * `lastKept`. Messages without a sequence number stay.
   */
  removeAfter(lastKept: ReadonlyMap<string, number>): void {
    const isRemoved = ({ conversationId, seq }: ReceivedMessage) =>
      seq !== null && seq > (lastKept.get(conversationId) ?? 0);
    for (const message of this.messages.filter(isRemoved)) {
      this.tags.delete(message.tag);
      this.lastIds.delete(message.conversationId);
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

export function toReceivedMessage(message: WireMessage, seq: number | undefined): ReceivedMessage {
  const { id, conversation_id, content, timestamp } = message;
  return { conversationId: conversation_id, seq: seq ?? null, id, tag: tagOf(content), timestamp };
}
