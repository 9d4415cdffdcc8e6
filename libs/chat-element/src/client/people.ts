import type { Chat, FriendRequest } from '@waggle/client/browser';
import type { BrowserMemory } from './browser-memory';
import type { DataStore } from './live-chat';
import { changePeople } from '../store/people-changes';

const sentKey = 'sent-requests';

/** Friend requests, friends and blocks. All methods throw what `Chat` throws. */
export class People {
  constructor(
    private readonly chat: Chat,
    private readonly store: DataStore,
    private readonly memory: BrowserMemory,
  ) {
    this.store.update((data) => changePeople(data, (people) => ({ ...people, sentRequests: this.#sent() })));
  }

  /** If the other account has sent a request, both are friends at once. */
  async request(account: string): Promise<void> {
    const { id, username } = await this.chat.requestFriendship(account);
    if (username !== this.chat.account) return;
    this.#change((requests) => [...requests, { id, username: account }]);
  }

  async accept(requestId: string): Promise<void> {
    await this.chat.acceptFriendship(requestId);
  }

  /** Rejects a request, or withdraws one of the account's own. */
  async reject(requestId: string): Promise<void> {
    await this.chat.rejectFriendship(requestId);
    this.#change((requests) => requests.filter(({ id }) => id !== requestId));
  }

  async remove(account: string): Promise<void> {
    await this.chat.removeFriendship(account);
  }

  async block(account: string): Promise<void> {
    await this.chat.block(account);
  }

  async unblock(account: string): Promise<void> {
    await this.chat.unblock(account);
  }

  #change(change: (requests: readonly FriendRequest[]) => readonly FriendRequest[]): void {
    this.store.update((data) =>
      changePeople(data, (people) => ({ ...people, sentRequests: change(people.sentRequests) })),
    );
    this.memory.write(sentKey, this.store.data.people.sentRequests);
  }

  #sent(): FriendRequest[] {
    const value = this.memory.read(sentKey);
    return Array.isArray(value) ? value.filter(isFriendRequest) : [];
  }
}

function isFriendRequest(value: unknown): value is FriendRequest {
  return typeof value === 'object' && value !== null && 'id' in value && 'username' in value;
}
