import type { OutgoingMessage } from '@waggle/client/browser';
import { BrowserMemory } from './browser-memory';
import { OutboxStorage } from './outbox-storage';

const outgoing = (clientId: string): OutgoingMessage => ({
  clientId,
  queue: 'c',
  frame: { type: 'chat-message', payload: { conversation_id: 'c', message: `text of ${clientId}` } },
});

it('returns unsent messages after each reload, and drops what is not a message', async () => {
  const memory = new BrowserMemory('waggle:test:');
  const first = new OutboxStorage(memory, undefined);
  expect(await first.load()).toEqual([]);
  const messages = [outgoing('a'), { ...outgoing('b'), firstSentAtMs: 1 }, outgoing('c')];
  for (const message of messages) first.put(message);
  first.remove('c');
  memory.write('outbox:damaged', [null, 'text', { clientId: 'd' }]);
  for (let reload = 0; reload < 2; reload++) {
    expect(await new OutboxStorage(memory, undefined).load()).toEqual(messages.slice(0, 2));
  }
});
