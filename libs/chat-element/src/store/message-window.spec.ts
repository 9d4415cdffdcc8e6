import type { ChatEvents, ConversationChange, HistoryPage, NewerHistoryPage } from '@waggle/client/browser';
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
  withEditedMessage,
  withNewerPage,
  withNewMessage,
  withoutMessage,
  withOlderPage,
  withReactions,
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

describe('what is said about a message', () => {
  const quote = (content: string | null) => ({ id: 'm1', from: 'bob', content });
  const window: MessageWindow = {
    ...emptyWindow,
    messages: [message(1), message(2), { ...message(3), reply_to: quote('x') }],
  };
  const edit = (revision: number, content: string): ChatEvents['message-edited'] => ({
    ...{ id: 'm1', conversation_id: 'c', content, revision, edited_at: `edit ${revision}` },
  });
  const reactionsAfter = (
    before: MessageWindow,
    counts: Record<string, number>,
    changes: [username: string, emoji: string, added: boolean][],
  ) =>
    withReactions(
      before,
      {
        id: 'm1',
        conversation_id: 'c',
        reactions: Object.entries(counts).map(([emoji, count]) => ({ emoji, count })),
        changes: changes.map(([username, emoji, added]) => ({ username, emoji, added })),
      },
      'alice',
    );
  const reactionsIn = ({ messages }: MessageWindow) => messages[0]?.reactions;

  it('changes with an edit, and so do the quotes of it', () => {
    const edited = withEditedMessage(window, edit(1, 'y'));
    expect(edited.messages).toEqual([
      { ...message(1), content: 'y', revision: 1, edited_at: 'edit 1' },
      message(2),
      { ...message(3), reply_to: quote('y') },
    ]);
    // What did not change is the same, so that it is not rendered again.
    expect(edited.messages[1]).toBe(window.messages[1]);
  });

  it('loses the mentions of its former text with an edit', () => {
    const mentions = [{ offset: 0, length: 4, username: 'bob' }];
    const mentioning = withEditedMessage(window, { ...edit(1, '@bob'), mentions });
    expect(mentioning.messages[0]).toMatchObject({ content: '@bob', mentions });
    expect(withEditedMessage(mentioning, edit(2, 'y')).messages[0]?.mentions).toBeUndefined();
  });

  it('stays if a page has a later edit than the event', () => {
    const edited = withEditedMessage(withEditedMessage(window, edit(2, 'z')), edit(1, 'y'));
    expect(edited.messages[0]).toMatchObject({ content: 'z', revision: 2, edited_at: 'edit 2' });
  });

  it('is quoted with as many code points as the service does', () => {
    const { messages } = withEditedMessage(window, edit(1, '🐝'.repeat(141)));
    expect(messages[0]?.content).toBe('🐝'.repeat(141));
    expect(messages[2]?.reply_to).toEqual(quote('🐝'.repeat(140)));
  });

  it('is no longer in the quotes of a deleted message', () => {
    const deleted = withoutMessage(window, 'm1');
    expect(deleted.messages).toEqual([message(2), { ...message(3), reply_to: quote(null) }]);
  });

  it('has the reactions of the last event, and keeps which are of the account', () => {
    const others = reactionsAfter(window, { '🐝': 2 }, [
      ['bob', '🐝', true],
      ['carol', '🐝', true],
    ]);
    expect(reactionsIn(others)).toEqual([{ emoji: '🐝', count: 2, own: false }]);
    const own = reactionsAfter(others, { '🐝': 3, '🍯': 1 }, [['alice', '🐝', true]]);
    expect(reactionsIn(own)).toEqual([
      { emoji: '🐝', count: 3, own: true },
      { emoji: '🍯', count: 1, own: false },
    ]);
    const later = reactionsAfter(own, { '🐝': 2 }, [['bob', '🐝', false]]);
    expect(reactionsIn(later)).toEqual([{ emoji: '🐝', count: 2, own: true }]);
    const withdrawn = reactionsAfter(later, { '🐝': 1 }, [['alice', '🐝', false]]);
    expect(reactionsIn(withdrawn)).toEqual([{ emoji: '🐝', count: 1, own: false }]);
    expect(withdrawn.messages.slice(1)).toEqual(window.messages.slice(1));
  });
});
