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

/** How the user reads an open conversation: marks messages as read, and places the divider above unread ones. */
export class Reading {
  /** The divider is above the first message of others after this one; undefined if all were read. */
  dividerSeq: number | undefined;
  /** All messages up to this one were on the screen, or read before. */
  #seenSeq = -1;
  #acknowledgedSeq = -1;
  #acknowledging: ReturnType<typeof setTimeout> | undefined;
  /** While paused, nothing is marked as read: the user has marked a message as unread, here or on another device. */
  #paused: 'here' | 'on-another-device' | undefined;
  /** The last known read position. */
  #readSeq = -1;

  /** Called when the user opens the conversation, or returns to the page. */
  begin({ unreadCount, readSeq }: ConversationData): void {
    this.dividerSeq = unreadCount > 0 ? readSeq : undefined;
  }

  /** Pauses, since the user marks a message as unread. */
  pauseBefore({ seq }: ChatMessage): void {
    this.dividerSeq = seq - 1;
    this.#pause('here');
  }

  /**
   * Follows the read position, which other devices move too. If it moves back, the user has marked a message as unread
   * there: the reading pauses until it moves forward, or the user goes on reading here.
   */
  follow({ readSeq }: ConversationData): void {
    if (readSeq < this.#readSeq && this.#paused === undefined) {
      this.dividerSeq = readSeq;
      this.#pause('on-another-device');
    } else if (readSeq > this.#readSeq && this.#paused === 'on-another-device') this.resume();
    this.#readSeq = readSeq;
  }

  /** Ends the pause, since the user goes on reading. */
  resume(): void {
    this.#paused = undefined;
  }

  /** Ends a pause that began on another device. @returns whether there was one */
  onUserScroll(): boolean {
    const isPaused = this.#paused === 'on-another-device';
    if (isPaused) this.resume();
    return isPaused;
  }

  #pause(where: 'here' | 'on-another-device'): void {
    this.#paused = where;
    clearTimeout(this.#acknowledging);
    this.#acknowledging = undefined;
  }

  /** Whether unread messages above the screen were never on it. Only for a conversation with unread messages. */
  hasSkipped({ readSeq }: ConversationData, window: MessageWindow, { firstSeq }: Shown, account: string): boolean {
    if (this.#paused !== undefined) return false;
    const seenSeq = Math.max(this.#seenSeq, readSeq);
    if (window.startSeq > seenSeq) return true;
    const next = firstOfOthers(window, seenSeq, account);
    return next !== undefined && next.seq < firstSeq;
  }

  /** Marks what is on the screen as read, which must not skip unread messages. */
  markRead(
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
