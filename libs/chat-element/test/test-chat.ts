import { Chat, Session } from '@waggle/client';
import type { DataStore } from '../src/store/chat-data';
import { type ChatData, emptyChatData } from '../src/store/chat-data';

/** A group as it is fetched, without its positions. */
export const testConversation = {
  id: 'c',
  type: 'group' as const,
  creator: 'alice',
  members: ['alice', 'bob'],
  moderators: [],
  blocked: false,
  created_at: '',
  updated_at: '',
  last_message: null,
};

/** The chat of alice, which is not connected. */
export function testChat(url = 'http://127.0.0.1'): Chat {
  const tokens = { account: 'alice', admin: false, accessToken: 'a', webSocketToken: 'w', refreshToken: 'r' };
  return new Chat({ session: new Session({ url, tokens }) });
}

export class TestStore implements DataStore {
  data: ChatData = emptyChatData('alice');

  update(change: (data: ChatData) => ChatData): void {
    this.data = change(this.data);
  }
}
