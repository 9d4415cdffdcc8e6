import type { ConversationData } from '../store/chat-data';
import { byRole } from './permissions';

type Members = Pick<ConversationData, 'id' | 'type' | 'creator' | 'members' | 'moderators'>;

/** The order of the members of a conversation, which does not change while they are shown. */
export class MemberOrder {
  #id = '';
  #order: readonly string[] = [];
  #members: ReadonlySet<string> = new Set();
  readonly #removed = new Set<string>();

  /**
   * Returns the members: first those that are shown, in the same order, then the others by role.
   *
   * @param more members of a channel that `conversation` does not list
   */
  of(conversation: Members, more: readonly string[]): readonly string[] {
    const { id } = conversation;
    const members = new Set(conversation.members);
    if (id !== this.#id) {
      this.#order = [];
      this.#members = members;
      this.#removed.clear();
    }
    this.#id = id;
    for (const account of this.#members) if (!members.has(account)) this.#removed.add(account);
    for (const account of members) this.#removed.delete(account);
    this.#members = members;
    const all = new Set([...members, ...more].filter((account) => !this.#removed.has(account)));
    const kept = this.#order.filter((account) => all.delete(account));
    this.#order = [...kept, ...byRole([...all], conversation)];
    return this.#order;
  }

  /** Removes a member of `more`, since no event does. */
  remove(account: string): void {
    this.#removed.add(account);
  }
}
