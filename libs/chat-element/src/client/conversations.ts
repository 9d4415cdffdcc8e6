import type { Chat } from '@waggle/client/browser';
import type { BrowserStorage } from './browser-storage';
import type { DataStore } from '../store/chat-data';
import { addConversation, fetchedConversation, removeConversation } from '../store/conversation-changes';

const followedKey = 'followed';

/** Creates, follows and leaves conversations. All methods throw what `Chat` and `ChatApi` throw. */
export class Conversations {
  constructor(
    private readonly chat: Chat,
    private readonly store: DataStore,
    private readonly storage: BrowserStorage,
  ) {
    // Also if the account left it on another device.
    chat.on('conversation-removed', ({ id }) => {
      if (this.followed.includes(id))
        this.storage.write(
          followedKey,
          this.followed.filter((each) => each !== id),
        );
    });
  }

  /** Ids of channels that the account reads without being a member: the service lists them nowhere. */
  get followed(): string[] {
    const value = this.storage.read(followedKey);
    return Array.isArray(value) ? value.filter((id) => typeof id === 'string').slice(-50) : [];
  }

  /** The dm with an account, if there is one. */
  findDm(account: string): string | undefined {
    return [...this.store.data.conversations.values()].find(
      ({ type, members }) => type === 'dm' && members.includes(account),
    )?.id;
  }

  /** @returns the id of the channel */
  async createChannel(name: string): Promise<string> {
    const { id } = await this.chat.api.createChannel(name);
    await this.follow(id);
    return id;
  }

  /** Reads a channel without joining it. */
  async follow(id: string): Promise<void> {
    if (this.store.data.conversations.has(id)) return;
    await this.chat.holdEvents(async () => {
      const fetched = await this.chat.api.conversation(id, { extended: true });
      this.store.update((data) => addConversation(data, fetchedConversation(fetched)));
      if (!fetched.members.includes(this.store.data.account)) this.storage.write(followedKey, [...this.followed, id]);
    });
  }

  /** Leaves a group or channel; hides a dm. */
  async leave(id: string): Promise<void> {
    await this.chat.leave(id);
    this.store.update((data) => removeConversation(data, id));
  }
}
