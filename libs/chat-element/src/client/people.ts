import { type Chat, type FriendRequest, RejectedError } from '@waggle/client/browser';
import type { DataStore } from '../store/chat-data';
import { changePeople, withoutRequest } from '../store/people-changes';
import { type BrowserStorage, isRecord } from './browser-storage';

/** Each sent request has a key of its own, because all tabs of the account share them. */
const sentKeyPrefix = 'sent-request:';

/** Friend requests, including the ones sent from this browser. All methods throw what `Chat` throws. */
export class People {
  constructor(
    private readonly chat: Chat,
    private readonly store: DataStore,
    private readonly storage: BrowserStorage,
  ) {
    this.store.update((data) => changePeople(data, (people) => ({ ...people, sentRequests: this.#saved() })));
    for (const event of ['friendship-accepted', 'friendship-rejected'] as const) {
      chat.on(event, ({ id }) => {
        this.storage.remove(sentKeyPrefix + id);
      });
    }
  }

  /** If the other account sent a request, both are friends at once. */
  async request(account: string): Promise<void> {
    const { id, username } = await this.chat.requestFriendship(account);
    if (username !== this.chat.account) return;
    const request = { id, username: account };
    this.storage.write(sentKeyPrefix + id, request);
    this.store.update((data) =>
      changePeople(data, (people) => ({ ...people, sentRequests: [...people.sentRequests, request] })),
    );
  }

  /** Rejects a request, or withdraws one of the account's own. If it was answered meanwhile, it only disappears. */
  async reject(requestId: string): Promise<void> {
    try {
      await this.chat.rejectFriendship(requestId);
    } catch (error) {
      if (!(error instanceof RejectedError && error.code === 'not-found')) throw error;
    }
    this.#drop(requestId);
  }

  /** Drops sent requests that were accepted while this browser was not connected. */
  dropAccepted(): void {
    const { friends, sentRequests } = this.store.data.people;
    for (const { id, username } of sentRequests) if (friends.includes(username)) this.#drop(id);
  }

  #drop(requestId: string): void {
    this.storage.remove(sentKeyPrefix + requestId);
    this.store.update((data) => withoutRequest(data, requestId));
  }

  #saved(): FriendRequest[] {
    return this.storage
      .keys(sentKeyPrefix)
      .map((key) => this.storage.read(key))
      .filter(isFriendRequest);
  }
}

function isFriendRequest(value: unknown): value is FriendRequest {
  return isRecord(value) && typeof value['id'] === 'string' && typeof value['username'] === 'string';
}
