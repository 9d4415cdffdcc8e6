import type { ConversationChange } from '@waggle/client/browser';
import { testConversation } from '../../test/test-chat';
import { emptyChatData, type ChatData } from './chat-data';
import { fetchedConversation } from './conversation-changes';
import { expectChange, missingChanges, withChanges } from './loaded-changes';
import { emptyWindow, type MessageWindow } from './message-window';

const changeAt = (seq: number): ConversationChange => ({
  ...{ seq, timestamp: '', type: 'member-added', by: 'alice', username: 'bob', name: null },
});

function dataWith(window: Partial<MessageWindow>): ChatData {
  return {
    ...emptyChatData('alice'),
    conversations: new Map([
      ['c', fetchedConversation({ ...testConversation, last_seq: 99, read_seq: 99, unread_count: 0 })],
    ]),
    windows: new Map([['c', { ...emptyWindow, ...window }]]),
  };
}

const messageAt = (seq: number) => ({
  ...{ id: `m${seq}`, conversation_id: 'c', from: 'bob', to: null, content: '', timestamp: '', read: true },
  seq,
});

it('asks for the changes between the loaded messages, then for those of further pages', () => {
  expect(missingChanges(dataWith({}), 'c')).toBeUndefined();
  const latest = dataWith({ startSeq: 20, messages: [messageAt(21)] });
  expect(missingChanges(latest, 'c')).toEqual({ after: 20, until: Infinity });
  const loaded = withChanges(latest, 'c', { after: 20, until: Infinity, items: [changeAt(25)] });
  expect(missingChanges(loaded, 'c')).toBeUndefined();
  const older = { ...loaded, windows: dataWith({ startSeq: 10, messages: [messageAt(11)] }).windows };
  expect(missingChanges(older, 'c')).toEqual({ after: 10, until: 20 });
  const both = withChanges(older, 'c', { after: 10, until: 20, items: [changeAt(15), changeAt(20)] });
  expect(both.changes.get('c')).toMatchObject({ after: 10, until: Infinity });
  expect(both.changes.get('c')?.items.map(({ seq }) => seq)).toEqual([15, 20, 25]);
});

it('forgets what does not adjoin the loaded messages any more', () => {
  const latest = withChanges(dataWith({ startSeq: 90 }), 'c', { after: 90, until: Infinity, items: [changeAt(95)] });
  const unread = { startSeq: 10, messages: [messageAt(20)], reachesEnd: false };
  const moved = { ...latest, windows: dataWith(unread).windows };
  expect(missingChanges(moved, 'c')).toEqual({ after: 10, until: 20 });
  const loaded = withChanges(moved, 'c', { after: 10, until: 20, items: [changeAt(12)] });
  expect(loaded.changes.get('c')).toEqual({ after: 10, until: 20, items: [changeAt(12)] });
});

it('asks for a change again whose event arrives', () => {
  const loaded = withChanges(dataWith({ startSeq: 0 }), 'c', { after: 0, until: Infinity, items: [] });
  expect(missingChanges(expectChange(loaded, 'c', 7), 'c')).toEqual({ after: 6, until: Infinity });
});
