import type { ChatState, ExtendedConversation } from '@waggle/client/browser';
import { emptyChatData } from './chat-data';
import { loadedData } from './loaded-data';
import { latestWindow } from './message-window';

const group: ExtendedConversation = {
  id: 'bees',
  type: 'group',
  creator: 'bob',
  members: ['alice', 'bob'],
  moderators: [],
  blocked: false,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  last_seq: 0,
  read_seq: 0,
  unread_count: 0,
  muted: false,
  favourite: false,
  mention_count: 0,
  first_unread_id: null,
  last_message: null,
};

const stateOf = (conversations: ExtendedConversation[]): ChatState => ({
  conversations,
  followed: [],
  friends: { friends: [], blocked: [] },
  friendRequests: [],
  settings: { dm: { only_from_friends: false } },
  unread: [],
});

it('keeps the messages of a conversation that is gone readable until it is back', () => {
  const window = latestWindow({ messages: [], hasOlder: false });
  const loaded = loadedData(emptyChatData('alice'), stateOf([group]));
  const gone = loadedData({ ...loaded, windows: new Map([[group.id, window]]) }, stateOf([]));
  expect(gone.conversations.size + gone.windows.size).toBe(0);
  expect(gone.former.get(group.id)).toMatchObject({ conversation: { id: group.id }, window });
  expect(loadedData(gone, stateOf([])).former.size).toBe(1);
  const back = loadedData(gone, stateOf([group]));
  expect([...back.conversations.keys()]).toEqual([group.id]);
  expect(back.former.size).toBe(0);
});
