import type { OutgoingMessage } from '@waggle/client/browser';
import { BrowserStorage } from './browser-storage';
import { OutboxStorage } from './outbox-storage';

const outgoing = (clientId: string): OutgoingMessage => ({
  clientId,
  queue: 'c',
  frame: { type: 'chat-message', payload: { conversation_id: 'c', message: `text of ${clientId}` } },
});

it('returns unsent messages after each reload, and drops invalid ones', async () => {
  const storage = new BrowserStorage('waggle:test:');
  const first = new OutboxStorage(storage, undefined);
  expect(await first.load()).toEqual([]);
  const messages = [outgoing('a'), { ...outgoing('b'), firstSentAtMs: 1 }, outgoing('c')];
  for (const message of messages) first.put(message);
  first.remove('c');
  storage.write('outbox:damaged', [
    null,
    'text',
    { clientId: 'd' },
    { ...outgoing('e'), frame: { type: 'x', payload: {} } },
  ]);
  for (let reload = 0; reload < 2; reload++) {
    expect(await new OutboxStorage(storage, undefined).load()).toEqual(messages.slice(0, 2));
  }
});

it('needs no locks if the page may not use them', async () => {
  const storage = new BrowserStorage('waggle:test:');
  new OutboxStorage(storage, undefined).put(outgoing('a'));
  const query = () => Promise.resolve({});
  const locks: LockManager = { query, request: () => Promise.reject(new DOMException('not here', 'SecurityError')) };
  expect(await new OutboxStorage(storage, locks).load()).toEqual([outgoing('a')]);
});
