import { type OutgoingMessage, RejectedError } from '@waggle/client/browser';
import { testChat, TestStore } from '../../test/test-chat';
import { createdConversation } from '../store/conversation-changes';
import { deleteMessage } from '../store/message-changes';
import { emptyWindow } from '../store/message-window';
import { BrowserStorage } from './browser-storage';
import { Messages } from './messages';

let storage: BrowserStorage;
beforeEach(() => {
  // What cannot be stored, as here, is kept by the instance.
  storage = new BrowserStorage('waggle:test:');
});

const conversation = {
  id: 'c',
  type: 'group' as const,
  creator: 'alice',
  members: ['alice'],
  moderators: [],
  blocked: false,
  created_at: '',
  updated_at: '',
};

function openTab() {
  const store = new TestStore();
  const chat = testChat();
  return { chat, store, messages: new Messages(chat, store, storage) };
}

function outgoingOf(clientId: string, text: string, replyTo?: string): OutgoingMessage {
  const payload = { conversation_id: 'c', message: text, ...(replyTo !== undefined && { reply_to: replyTo }) };
  return { clientId, queue: 'c', frame: { type: 'chat-message', payload } };
}

/** Writes a message that the service refuses. @returns its `clientId` */
function failIn({ store, messages }: ReturnType<typeof openTab>, text: string): string {
  messages.send('c', text);
  const { clientId } = store.data.outgoing.at(-1) ?? { clientId: '' };
  messages.onNotSent(outgoingOf(clientId, text), new RejectedError('blocked', 'rejected'));
  return clientId;
}

it('shows the messages that failed in any tab after a reload, until they are discarded', () => {
  const [first, second] = [openTab(), openTab()];
  const discarded = failIn(first, 'one');
  failIn(second, 'two');
  failIn(first, 'three');
  first.messages.discard(discarded);
  const reloaded = openTab();
  reloaded.messages.restore();
  expect(reloaded.store.data.outgoing.map(({ text, failure }) => [text, failure])).toEqual([
    ['two', 'blocked'],
    ['three', 'blocked'],
  ]);
});

it('keeps what a message replies to over a reload, whether it failed or waits, and when it is sent again', () => {
  const { store, messages } = openTab();
  const outgoing = outgoingOf('failed', 'no', 'm');
  messages.onNotSent(outgoing, new RejectedError('blocked', 'rejected'));
  messages.send('c', 'yes', 'm');
  const replies = (data: typeof store.data) => data.outgoing.map(({ text, replyTo }) => [text, replyTo]);
  expect(replies(store.data)).toEqual(
    expect.arrayContaining([
      ['no', 'm'],
      ['yes', 'm'],
    ]),
  );
  const reloaded = openTab();
  reloaded.messages.restore();
  expect(replies(reloaded.store.data)).toEqual([['no', 'm']]);
  reloaded.messages.retry('failed');
  expect(reloaded.chat.outbox).toMatchObject([outgoing]);
});

it('keeps a first message of an earlier run that the service refuses before the state is loaded, and sends it again', () => {
  const { store, messages } = openTab();
  const frame = { type: 'chat-message', payload: { to: 'bob', message: 'first' } } as const;
  messages.onNotSent({ clientId: 'first', queue: '@bob', frame }, new RejectedError('friends-only', 'rejected'));
  const reloaded = openTab();
  for (const tab of [{ store, messages }, reloaded]) {
    tab.messages.restore();
    expect(tab.store.data.outgoing).toContainEqual(
      expect.objectContaining({ recipients: ['bob'], text: 'first', failure: 'friends-only' }),
    );
  }
  reloaded.messages.retry('first');
  expect(reloaded.store.data.outgoing).toContainEqual(expect.objectContaining({ text: 'first', failure: undefined }));
  expect(reloaded.chat.outbox).toMatchObject([{ clientId: 'first', frame }]);
});

it('shows no message that was deleted before its repetition got a reply', () => {
  const { store, messages } = openTab();
  store.update((data) => createdConversation(data, conversation));
  store.update((data) => ({ ...data, windows: new Map([['c', emptyWindow]]) }));
  const message = { id: 'm', conversation_id: 'c', from: 'alice', to: null, timestamp: '2026-01-01T00:00:00.000Z' };
  const stored = { ...message, content: 'one', read: false, seq: 5 };
  messages.send('c', 'one');
  const { clientId } = store.data.outgoing[0] ?? { clientId: '' };
  // The connection resumes after the deletion.
  store.update((data) => deleteMessage(data, { stream: 'c', seq: 6 }, 'm'));
  messages.onSent(clientId, stored);
  expect(store.data.outgoing).toEqual([]);
  expect(store.data.windows.get('c')?.messages).toEqual([]);
  messages.onSent('next', { ...stored, id: 'n', seq: 7 });
  expect(store.data.windows.get('c')?.messages).toHaveLength(1);
});

it('sorts failed messages in the order in which they were written although the clock was set back', () => {
  const tab = openTab();
  const texts = ['before', 'after'];
  for (const text of texts) {
    failIn(tab, text);
    jest.spyOn(Date, 'now').mockReturnValue(0);
  }
  jest.restoreAllMocks();
  const reloaded = openTab();
  reloaded.messages.restore();
  expect(reloaded.store.data.outgoing.map(({ text }) => text)).toEqual(texts);
});
