import type { ConversationData } from '../store/chat-data';
import { byRole } from './permissions';

type Members = Pick<ConversationData, 'id' | 'type' | 'creator' | 'members' | 'moderators'>;

/** Keeps the members of a conversation in their places while they are shown: new ones are added at the end. */
export class MemberOrder {
  #id = '';
  #order: readonly string[] = [];
  #members: ReadonlySet<string> = new Set();
  readonly #removed = new Set<string>();

  /** @param more members of a channel that are not part of the conversation itself */
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

  /** Removes a member of `more`: no event changes those. */
  remove(account: string): void {
    this.#removed.add(account);
  }
}
