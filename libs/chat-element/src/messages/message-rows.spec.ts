import type { ChatMessage } from '../store/chat-data';
import { messageRows } from './message-rows';

function message(id: string, from: string, timestamp: string): ChatMessage {
  return { id, conversation_id: 'c', from, to: null, content: id, timestamp, read: true, seq: 0 };
}

const summaryOf = (messages: readonly ChatMessage[], firstUnread?: string) =>
  messageRows(messages, firstUnread).map((row) =>
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
