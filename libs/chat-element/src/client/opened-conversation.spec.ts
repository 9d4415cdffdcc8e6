import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { until } from '@waggle/testing';
import { testChat, testConversation, TestStore } from '../../test/test-chat';
import { fetchedConversation } from '../store/conversation-changes';
import { OpenedConversation } from './opened-conversation';

const pin = { id: 'm', seq: 1, from: 'bob', content: 'x', timestamp: '', pinned_by: 'bob', pinned_at: '' };

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

it.each([
  [503, 'fetches pinned messages again while the service is unavailable', [pin]],
  [404, 'shows none if an older service has no list of them', []],
])('after the status %i %s', async (status, _, expected) => {
  let requests = 0;
  server = createServer((_request, response) => {
    requests += 1;
    const isFirst = requests === 1;
    response.statusCode = isFirst ? status : 200;
    response.end(JSON.stringify(isFirst ? {} : [pin]));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = Object.assign({ port: 0 }, server.address());
  const store = new TestStore();
  const counts = { last_seq: 1, read_seq: 1, unread_count: 0, mention_count: 0, first_unread_id: null };
  const conversation = fetchedConversation({ ...testConversation, ...counts, muted: false, favourite: false });
  store.update((data) => ({ ...data, conversations: new Map([['c', conversation]]) }));
  const opened = new OpenedConversation(testChat(`http://127.0.0.1:${port}`), store);
  opened.fetchMissing('c');
  await until(() => store.data.pins.has('c'));
  expect(store.data.pins.get('c')).toEqual(expected);
});
