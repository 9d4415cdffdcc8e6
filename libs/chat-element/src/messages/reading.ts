import type { Messages } from '../client/messages';
import type { ChatMessage, ConversationData } from '../store/chat-data';
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
  #acknowledgedSeq = -1;
  #acknowledging: ReturnType<typeof setTimeout> | undefined;
  /** Where the person has marked a message as unread, since which nothing is marked as read. */
  #paused: 'here' | 'on-another-device' | undefined;
  /** The read position as it was last. */
  #readSeq = -1;

  /** Called when the person comes to the conversation, or back to its window. */
  begin({ unreadCount, readSeq }: ConversationData): void {
    this.lineSeq = unreadCount > 0 ? readSeq : undefined;
  }

  /** Marks nothing as read for now: the person has marked a message as unread. */
  pauseBefore({ seq }: ChatMessage): void {
    this.lineSeq = seq - 1;
    this.#pause('here');
  }

  /**
   * Follows the read position, which other devices move too. If it moves back, the person has marked a message as
   * unread there: the reading pauses until it moves on, or the person goes on reading here.
   */
  follow({ readSeq }: ConversationData): void {
    if (readSeq < this.#readSeq && this.#paused === undefined) {
      this.lineSeq = readSeq;
      this.#pause('on-another-device');
    } else if (readSeq > this.#readSeq && this.#paused === 'on-another-device') this.resume();
    this.#readSeq = readSeq;
  }

  /** Ends the pause: the person goes on reading. */
  resume(): void {
    this.#paused = undefined;
  }

  /** The person scrolls. @returns whether this ends a pause: one that began on another device */
  onScrolled(): boolean {
    const isEnd = this.#paused === 'on-another-device';
    if (isEnd) this.resume();
    return isEnd;
  }

  #pause(where: 'here' | 'on-another-device'): void {
    this.#paused = where;
    clearTimeout(this.#acknowledging);
    this.#acknowledging = undefined;
  }

  /** Whether unread messages before those on the screen were never there, if there are unread messages. */
  hasSkipped({ readSeq }: ConversationData, window: MessageWindow, { firstSeq }: Shown, account: string): boolean {
    if (this.#paused !== undefined) return false;
    const seenSeq = Math.max(this.#seenSeq, readSeq);
    if (window.startSeq > seenSeq) return true;
    const next = firstOfOthers(window, seenSeq, account);
    return next !== undefined && next.seq < firstSeq;
  }

  /** Marks what is on the screen as read, which must not skip unread messages. */
  see(
    { id, readSeq, unreadCount }: ConversationData,
    { lastSeq }: Shown,
    messages: Pick<Messages, 'acknowledge'>,
  ): void {
    if (this.#paused !== undefined) return;
    this.#seenSeq = Math.max(this.#seenSeq, lastSeq);
    // An edit can add an unread mention although every message is read. `readSeq` is at the end then.
    const readUpTo = unreadCount === 0 ? this.#acknowledgedSeq : readSeq;
    if (this.#seenSeq <= readUpTo || this.#acknowledging !== undefined) return;
    this.#acknowledging = setTimeout(() => {
      this.#acknowledging = undefined;
      this.#acknowledgedSeq = this.#seenSeq;
      messages.acknowledge(id, this.#seenSeq);
    }, acknowledgeMs);
  }
}
