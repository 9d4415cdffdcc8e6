import type { LiveChat } from '../client/live-chat';
import type { ConversationData } from '../store/chat-data';
import { firstOfOthers, type MessageWindow } from '../store/message-window';

/** Delay of an acknowledgment, which covers the messages that are seen meanwhile. */
const acknowledgeMs = 300;

/** What is on the screen, as sequence numbers. */
export interface Shown {
  /** The first message that is at least partly shown. */
  firstSeq: number;
  /** The last message whose end is shown or above the screen. */
  lastSeq: number;
}

/** How a person reads a conversation, while it is open. */
export class Reading {
  /** The first message of others after it has the line of new messages above it; undefined if all were read. */
  lineSeq: number | undefined;
  /** All messages up to this one were on the screen, or read before. */
  #seenSeq = -1;
  #acknowledging: ReturnType<typeof setTimeout> | undefined;

  /** Called when the person comes to the conversation, or back to its window. */
  begin({ unreadCount, readSeq }: ConversationData): void {
    this.lineSeq = unreadCount > 0 ? readSeq : undefined;
  }

  /** Whether unread messages before those on the screen were never there, if there are unread messages. */
  hasSkipped({ readSeq }: ConversationData, window: MessageWindow, { firstSeq }: Shown, account: string): boolean {
    const seenSeq = Math.max(this.#seenSeq, readSeq);
    if (window.startSeq > seenSeq) return true;
    const next = firstOfOthers(window, seenSeq, account);
    return next !== undefined && next.seq < firstSeq;
  }

  /** Marks what is on the screen as read, which must not skip unread messages. */
  see({ id, readSeq }: ConversationData, { lastSeq }: Shown, live: LiveChat): void {
    this.#seenSeq = Math.max(this.#seenSeq, lastSeq);
    if (this.#seenSeq <= readSeq || this.#acknowledging !== undefined) return;
    this.#acknowledging = setTimeout(() => {
      this.#acknowledging = undefined;
      live.messages.acknowledge(id, this.#seenSeq);
    }, acknowledgeMs);
  }
}
