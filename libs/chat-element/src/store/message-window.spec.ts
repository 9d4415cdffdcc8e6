import type { ConversationChange, HistoryPage, NewerHistoryPage } from '@waggle/client/browser';
import type { ChatMessage } from './chat-data';
import {
  emptyWindow,
  firstOfOthers,
  hasOlder,
  latestWindow,
  type MessageWindow,
  pageSize,
  windowAfter,
  withChanges,
  withNewerPage,
  withNewMessage,
  withoutMessage,
  withOlderPage,
} from './message-window';

const startMs = Date.UTC(2026, 0, 1);

function message(seq: number): ChatMessage {
  const timestamp = new Date(startMs + seq * 10).toISOString();
  return { id: `m${seq}`, conversation_id: 'c', from: 'bob', to: null, content: 'x', timestamp, read: true, seq };
}

/** A conversation whose history is paged as the service does. */
class Conversation {
  messages = Array.from({ length: 1_000 }, (_, index) => message(index + 1));

  /** @param maxSize of a page, as the service limits its bytes */
  constructor(private readonly maxSize = Infinity) {}

  page(beforeMs = Infinity): HistoryPage<ChatMessage> {
    const before = this.messages.filter(({ timestamp }) => Date.parse(timestamp) < beforeMs);
    const messages = before.slice(-Math.min(pageSize, this.maxSize));
    return { messages, hasOlder: messages.length < before.length };
  }

  pageAfter(afterSeq: number): NewerHistoryPage {
    const after = this.messages.filter(({ seq }) => seq > afterSeq);
    const messages = after.slice(0, Math.min(pageSize, this.maxSize));
    return { messages, hasNewer: messages.length < after.length };
  }

  older(window: MessageWindow): MessageWindow {
    return withOlderPage(window, this.page(Date.parse(window.messages[0]?.timestamp ?? '')));
  }

  newer(window: MessageWindow): MessageWindow {
    return withNewerPage(window, this.pageAfter(window.messages.at(-1)?.seq ?? window.startSeq));
  }

  /** Checks that the window has all messages after its start, up to its last one. */
  expectNoGap({ messages, startSeq, reachesEnd }: MessageWindow): void {
    const lastSeq = reachesEnd ? Infinity : (messages.at(-1)?.seq ?? startSeq);
    const expected = this.messages.filter(({ seq }) => seq > startSeq && seq <= lastSeq);
    expect(messages.map(({ seq }) => seq)).toEqual(expected.map(({ seq }) => seq));
    expect(messages.length).toBeLessThanOrEqual(5 * pageSize);
  }
}

let conversation: Conversation;

beforeEach(() => {
  conversation = new Conversation();
});

it.each([Infinity, 42])('holds a bounded part of the history without a gap, to the beginning and back', (maxSize) => {
  conversation = new Conversation(maxSize);
  let window = latestWindow(conversation.page());
  while (hasOlder(window)) {
    window = conversation.older(window);
    conversation.expectNoGap(window);
  }
  expect(window.messages[0]?.seq).toBe(1);
  while (!window.reachesEnd) {
    window = conversation.newer(window);
    conversation.expectNoGap(window);
  }
  expect(window.messages.at(-1)?.seq).toBe(1_000);
});

it('grows in both directions from a message in the middle', () => {
  let window = windowAfter(490, conversation.pageAfter(490));
  for (const step of ['newer', 'older', 'older', 'newer', 'newer', 'older'] as const) {
    window = conversation[step](window);
    conversation.expectNoGap(window);
  }
  expect(firstOfOthers(window, 495, 'alice')?.seq).toBe(496);
  expect(firstOfOthers(window, 200, 'alice')).toBeUndefined();
  expect(firstOfOthers(window, 495, 'bob')).toBeUndefined();
});

it('finds the way to the end if messages were written and deleted meanwhile', () => {
  let window = latestWindow(conversation.page());
  for (let page = 0; page < 8; page++) window = conversation.older(window);
  for (let seq = 1_001; seq <= 1_300; seq++) {
    conversation.messages.push(message(seq));
    window = withNewMessage(window, message(seq));
  }
  const isDeleted = ({ seq }: ChatMessage) => seq >= 600 && seq % 3 > 0;
  for (const deleted of conversation.messages.filter(isDeleted)) window = withoutMessage(window, deleted.id);
  conversation.messages = conversation.messages.filter((each) => !isDeleted(each));
  while (!window.reachesEnd) window = conversation.newer(window);
  conversation.expectNoGap(window);
  expect(window.messages.at(-1)?.seq).toBe(1_299);
});

it('leaves out a message before its start whose event arrives late', () => {
  const window = latestWindow(conversation.page());
  expect(withNewMessage(window, message(900))).toBe(window);
});

it('adds new messages at the end, in order and once', () => {
  let window = latestWindow(conversation.page());
  for (const seq of [1_002, 1_001, 1_002, 1_003]) window = withNewMessage(window, message(seq));
  expect(window.messages.slice(-4).map(({ seq }) => seq)).toEqual([1_000, 1_001, 1_002, 1_003]);
});

it('keeps the changes between its messages', () => {
  const changeAt = (seq: number): ConversationChange => ({
    ...{ seq, timestamp: '', type: 'member-added', by: 'alice', username: 'bob', name: null },
  });
  const seqsOf = ({ changes }: MessageWindow) => changes.map(({ seq }) => seq);
  const window: MessageWindow = { ...emptyWindow, startSeq: 10 };
  const live = withChanges(withChanges(window, [changeAt(20), changeAt(12)]), [changeAt(20), changeAt(9)]);
  expect(seqsOf(live)).toEqual([12, 20]);
  // Its end is the last message.
  expect(seqsOf(withChanges({ ...live, reachesEnd: false }, [changeAt(11)]))).toEqual([]);
  // Of too many, the newest.
  const many = withChanges(
    window,
    Array.from({ length: 501 }, (_, i) => changeAt(11 + i)),
  );
  expect(seqsOf(many)).toHaveLength(500);
  expect(seqsOf(many)[0]).toBe(12);
});
