import { testConversation } from '../../test/test-chat';
import { fetchedConversation, hasUnread } from '../store/conversation-changes';
import { Reading } from './reading';

const conversation = (counts: { read_seq: number; unread_count: number; mention_count?: number }) =>
  fetchedConversation({
    ...testConversation,
    last_seq: 9,
    mention_count: 0,
    first_unread_id: null,
    muted: false,
    favourite: false,
    ...counts,
  });
const read = conversation({ read_seq: 9, unread_count: 0 });
const unread = conversation({ read_seq: 4, unread_count: 5 });
const shown = { firstSeq: 1, lastSeq: 10 };

/** What is acknowledged while a conversation changes, all of it on the screen. */
class Reader {
  readonly reading = new Reading();
  readonly acknowledged: number[] = [];

  see(...states: ReturnType<typeof conversation>[]): number[] {
    for (const each of states) {
      this.reading.follow(each);
      const acknowledge = (_id: string, seq: number) => this.acknowledged.push(seq);
      if (hasUnread(each)) this.reading.markRead(each, shown, { acknowledge });
      jest.runAllTimers();
    }
    return this.acknowledged;
  }
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

it('acknowledges what is seen', () => {
  expect(new Reader().see(unread)).toEqual([10]);
});

it('acknowledges once if only a mention is unread, which an edit has added', () => {
  const mentioned = conversation({ read_seq: 9, unread_count: 0, mention_count: 1 });
  expect(new Reader().see(mentioned, mentioned, mentioned)).toEqual([10]);
});

describe('if a message was marked as unread on another device', () => {
  let reader: Reader;
  beforeEach(() => {
    reader = new Reader();
    expect(reader.see(read, unread, unread)).toEqual([]);
  });

  it('shows the divider before it', () => {
    expect(reader.reading.dividerSeq).toBe(4);
  });

  it('acknowledges again when the user scrolls', () => {
    reader.reading.onUserScroll();
    expect(reader.see(unread)).toEqual([10]);
  });

  it('acknowledges new messages when it was read there', () => {
    expect(reader.see(read, conversation({ read_seq: 9, unread_count: 1 }))).toEqual([10]);
  });
});

it('acknowledges nothing after a scroll if the message was marked as unread here', () => {
  const reader = new Reader();
  reader.see(read);
  reader.reading.pauseBefore({
    seq: 5,
    id: '',
    conversation_id: 'c',
    from: '',
    to: null,
    content: '',
    timestamp: '',
    read: true,
  });
  reader.see(unread);
  reader.reading.onUserScroll();
  expect(reader.see(unread)).toEqual([]);
});
