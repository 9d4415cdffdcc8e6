import { testConversation } from '../../test/test-chat';
import { eventHandlers } from './apply-event';
import { type ChatData, type ConversationData, emptyChatData } from './chat-data';
import { fetchedConversation } from './conversation-changes';
import { latestWindow } from './message-window';

const position = { stream: 'c', seq: 10 };

/** The data of alice, with two pinned messages. */
function pinned(): ChatData {
  const counts = { last_seq: 9, read_seq: 9, unread_count: 0, mention_count: 0, first_unread_id: null };
  const conversation = fetchedConversation({ ...testConversation, ...counts, muted: false, favourite: false });
  const pin = { seq: 1, from: 'bob', content: 'old', timestamp: '', pinned_by: 'bob', pinned_at: '' };
  return {
    ...emptyChatData('alice'),
    conversations: new Map([['c', conversation]]),
    pins: new Map([
      [
        'c',
        [
          { id: 'm1', ...pin },
          { id: 'm2', ...pin },
        ],
      ],
    ]),
  };
}

const pinsOf = ({ pins }: ChatData) => pins.get('c')?.map(({ id, content }) => `${id} ${content}`);

it('changes the text of a pinned message that is edited', () => {
  const edit = { id: 'm1', conversation_id: 'c', content: `${'🐝'.repeat(140)} new`, revision: 1, edited_at: '' };
  expect(pinsOf(eventHandlers['message-edited'](pinned(), edit, position))).toEqual([
    `m1 ${'🐝'.repeat(140)}`,
    'm2 old',
  ]);
});

it('removes a pinned message that is deleted or unpinned', () => {
  expect(pinsOf(eventHandlers['message-deleted'](pinned(), { id: 'm1' }, position))).toEqual(['m2 old']);
  const change = { id: 'm2', conversation_id: 'c', username: 'bob', pinned: false };
  expect(pinsOf(eventHandlers['pins-changed'](pinned(), change, position))).toEqual(['m1 old']);
});

it('counts a mention for an account that follows a channel, and no other message', () => {
  const data = pinned();
  const [followed] = [...data.conversations.values()].map((each) => ({ ...each, members: ['bob'] }));
  if (followed === undefined) throw new Error('there is no conversation');
  const message = { id: 'm10', conversation_id: 'c', from: 'bob', to: null, timestamp: '', read: false };
  const mentions = [{ offset: 0, length: 6, username: 'alice' }];
  const receive = (of: ChatData, content: string, seq: number) =>
    eventHandlers['chat-message'](
      of,
      { ...message, content, ...(content === '@alice' && { mentions }) },
      { stream: 'c', seq },
    );
  const before = receive({ ...data, conversations: new Map([['c', followed]]) }, 'hello', 10);
  expect(before.conversations.get('c')).toMatchObject({ unreadCount: 0, mentionCount: 0 });
  const after = receive(before, '@alice', 11);
  expect(after.conversations.get('c')).toMatchObject({ unreadCount: 0, mentionCount: 1, readSeq: 10 });
});

it('fetches a conversation again if a read position counts less than was fetched', () => {
  const data = pinned();
  const [known] = [...data.conversations.values()];
  if (known === undefined) throw new Error('there is no conversation');
  const window = latestWindow({ messages: [], hasOlder: false });
  const apply = (of: ConversationData) =>
    eventHandlers['read-position'](
      { ...data, conversations: new Map([['c', of]]), windows: new Map([['c', window]]) },
      { conversation_id: 'c', read_seq: 10, unread_count: 0, mention_count: 1, last_seq: 11 },
      undefined,
    ).conversations.get('c');
  // Entry 12 is an edit that mentions alice.
  const fetched = { ...known, lastSeq: 12, countedSeq: 12, mentionCount: 2 };
  expect(apply(fetched)).toMatchObject({ readSeq: 10, isStale: true });
  // The count of an edit that was not fetched yet is added by the fetch that it causes.
  const edited = { ...known, lastSeq: 12, isStale: true };
  expect(apply(edited)).toMatchObject({ readSeq: 10, mentionCount: 1, isStale: true });
  // A message is counted here.
  expect(apply({ ...known, lastSeq: 12 })).toMatchObject({ readSeq: 10, mentionCount: 1, isStale: false });
});

it('counts unread messages no further than the service', () => {
  const counts = { last_seq: 9, read_seq: 0, unread_count: 999, mention_count: 0, first_unread_id: 'm1' };
  const conversation = { ...testConversation, members: ['alice', 'bob'], ...counts, muted: false, favourite: false };
  const data: ChatData = {
    ...emptyChatData('alice'),
    conversations: new Map([['c', fetchedConversation(conversation)]]),
  };
  const message = { conversation_id: 'c', from: 'bob', to: null, content: 'x', timestamp: '', read: false };
  const received = [10, 11].reduce(
    (of, seq) => eventHandlers['chat-message'](of, { id: `m${seq}`, ...message }, { stream: 'c', seq }),
    data,
  );
  expect(received.conversations.get('c')?.unreadCount).toBe(1_000);
});
