import type { ConversationChange } from '@waggle/client/browser';
import type { ChatMessage } from '../store/chat-data';
import { messageRows } from './message-rows';

function message(id: string, from: string, timestamp: string): ChatMessage {
  return { id, conversation_id: 'c', from, to: null, content: id, timestamp, read: true, seq: 0 };
}

const summaryOf = (
  messages: readonly ChatMessage[],
  firstUnread?: string,
  changes: readonly ConversationChange[] = [],
) =>
  messageRows(messages, changes, firstUnread).map((row) =>
    row.kind === 'message' ? `${row.message.id}${row.startsGroup ? '<' : ''}${row.endsGroup ? '>' : ''}` : row.kind,
  );

it('groups messages of an account, and separates days and unread messages', () => {
  const messages = [
    message('a', 'bob', '2026-01-01T12:00:00.000Z'),
    message('b', 'bob', '2026-01-01T12:01:00.000Z'),
    message('c', 'carol', '2026-01-01T12:02:00.000Z'),
    message('d', 'carol', '2026-01-01T12:30:00.000Z'),
    message('e', 'carol', '2026-01-03T12:30:00.000Z'),
    message('f', 'carol', '2026-01-03T12:31:00.000Z'),
  ];
  expect(summaryOf(messages, 'f')).toEqual(['day', 'a<', 'b>', 'c<>', 'd<>', 'day', 'e<>', 'unread', 'f<>']);
});

it('puts changes between the messages in the order of the stream, where a group of messages ends', () => {
  const [first, second, third] = ['a', 'b', 'c'].map((id, i) => ({
    ...message(id, 'bob', `2026-01-01T12:0${i}:00.000Z`),
    seq: 2 * i + 1,
  }));
  const change: ConversationChange = {
    ...{ seq: 4, timestamp: '2026-01-01T12:01:30.000Z', type: 'member-added', by: 'alice' },
    ...{ username: 'carol', name: null },
  };
  const messages = [first, second, third].flatMap((each) => each ?? []);
  expect(summaryOf(messages, undefined, [change])).toEqual(['day', 'a<', 'b>', 'change', 'c<>']);
  // Before the first message, and alone.
  expect(summaryOf([], undefined, [change])).toEqual(['day', 'change']);
});
