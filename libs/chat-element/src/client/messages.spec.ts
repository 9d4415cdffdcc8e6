import { RejectedError } from '@waggle/client/browser';
import { testChat, TestStore } from '../../test/test-chat';
import { BrowserStorage } from './browser-storage';
import { Messages } from './messages';

const storage = new BrowserStorage('waggle:test:');

function openTab() {
  const store = new TestStore();
  return { store, messages: new Messages(testChat(), store, storage) };
}

/** Writes a message that the service refuses. @returns its `clientId` */
function failIn({ store, messages }: ReturnType<typeof openTab>, text: string): string {
  messages.send('c', text);
  const { clientId } = store.data.outgoing.at(-1) ?? { clientId: '' };
  messages.onNotSent(clientId, new RejectedError('blocked', 'rejected'));
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
