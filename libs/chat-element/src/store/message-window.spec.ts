import type { HistoryPage } from '@waggle/client/browser';
import type { ChatMessage } from './chat-data';
import {
  adjoins,
  latestWindow,
  type MessageWindow,
  pageSize,
  reachesEnd,
  withNewerPage,
  withNewMessage,
  withoutMessage,
  withOlderPage,
  withPageBetween,
} from './message-window';

const startMs = Date.UTC(2026, 0, 1);

function message(seq: number): ChatMessage {
  const timestamp = new Date(startMs + seq * 10).toISOString();
  return { id: `m${seq}`, conversation_id: 'c', from: 'bob', to: null, content: 'x', timestamp, read: true, seq };
}

/** A conversation whose history is paged as the service does. */
class Conversation {
  messages = Array.from({ length: 1_000 }, (_, seq) => message(seq));

  /** @param maxSize of a page, as the service limits its bytes */
  constructor(private readonly maxSize = Infinity) {}

  page(beforeMs = Infinity, size = pageSize): HistoryPage<ChatMessage> {
    const before = this.messages.filter(({ timestamp }) => Date.parse(timestamp) < beforeMs);
    const messages = before.slice(-Math.min(size, this.maxSize));
    return { messages, hasOlder: messages.length < before.length };
  }

  older(window: MessageWindow): MessageWindow {
    return withOlderPage(window, this.page(Date.parse(window.messages[0]?.timestamp ?? '')));
  }

  newer(window: MessageWindow): MessageWindow {
    const page = this.page(window.newerPageEnds.at(-1), pageSize + 1);
    return adjoins(window, page) ? withNewerPage(window, page) : withPageBetween(window, page);
  }
}

function expectNoGap({ messages }: MessageWindow): void {
  const [first] = messages;
  expect(messages.map(({ seq }) => seq)).toEqual(messages.map((_, index) => (first?.seq ?? 0) + index));
}

let conversation: Conversation;

beforeEach(() => {
  conversation = new Conversation();
});

it.each([Infinity, 42])('holds a bounded part of the history without a gap, to the beginning and back', (maxSize) => {
  conversation = new Conversation(maxSize);
  let window = latestWindow(conversation.page());
  while (window.hasOlder) {
    window = conversation.older(window);
    expectNoGap(window);
    expect(window.messages.length).toBeLessThanOrEqual(5 * pageSize);
  }
  expect(window.messages[0]?.seq).toBe(0);
  while (!reachesEnd(window)) {
    window = conversation.newer(window);
    expectNoGap(window);
    expect(window.messages.length).toBeLessThanOrEqual(5 * pageSize);
  }
  expect(window.messages.at(-1)?.seq).toBe(999);
});

it('finds the way back to the end if many messages were written meanwhile', () => {
  let window = latestWindow(conversation.page());
  for (let page = 0; page < 8; page++) window = conversation.older(window);
  for (let seq = 1_000; seq < 1_300; seq++) {
    conversation.messages.push(message(seq));
    window = withNewMessage(window, message(seq));
  }
  while (!reachesEnd(window)) window = conversation.newer(window);
  expectNoGap(window);
  expect(window.messages.at(-1)?.seq).toBe(1_299);
});

it('finds the way back if messages of dropped pages were deleted', () => {
  let window = latestWindow(conversation.page());
  for (let page = 0; page < 8; page++) window = conversation.older(window);
  const isDeleted = ({ seq }: ChatMessage) => seq >= 600 && seq % 3 > 0;
  for (const deleted of conversation.messages.filter(isDeleted)) window = withoutMessage(window, deleted.id);
  conversation.messages = conversation.messages.filter((each) => !isDeleted(each));
  while (!reachesEnd(window)) window = conversation.newer(window);
  expect(window.messages.at(-1)?.seq).toBe(999);
  const seqs = window.messages.map(({ seq }) => seq);
  expect(seqs).toEqual(conversation.messages.map(({ seq }) => seq).slice(-seqs.length));
});

it('adds new messages at the end, in order and once', () => {
  let window = latestWindow(conversation.page());
  for (const seq of [1_001, 1_000, 1_001, 1_002]) window = withNewMessage(window, message(seq));
  expectNoGap(window);
  expect(window.messages.at(-1)?.seq).toBe(1_002);
});
