import type { ChatMessage } from '../store/chat-data';
import { isUnloaded, type MessageWindow } from '../store/message-window';

/** Maximum number of messages that screen readers get at once: more could not be read out in time. */
const maxAnnounced = 20;

/** Selects the new messages of others, for screen readers: messages that a page of the history adds are not new. */
export class Announcements {
  /** The last new messages. */
  messages: readonly ChatMessage[] = [];
  /** Sequence number of the newest message of others so far; undefined until the end of the history is loaded. */
  #newestSeq: number | undefined;

  /** Follows what is loaded of a conversation. @param account whose own messages are not announced */
  follow(window: MessageWindow | undefined, account: string): void {
    if (window === undefined || isUnloaded(window) || !window.reachesEnd) {
      this.#newestSeq = undefined;
      return;
    }
    const known = this.#newestSeq;
    const ofOthers = window.messages.filter(({ from }) => from !== account);
    const added = known === undefined ? [] : ofOthers.filter(({ seq }) => seq > known);
    if (added.length > 0) this.messages = [...this.messages, ...added].slice(-maxAnnounced);
    this.#newestSeq = Math.max(known ?? 0, ofOthers.at(-1)?.seq ?? 0);
  }
}
