import { createServer } from 'node:http';
import { once } from 'node:events';
import { testChat, TestStore } from '../../test/test-chat';
import { History } from './history';

it('loads again after a response that it does not understand', async () => {
  const bodies = ['"not a page"', '[]'];
  const server = createServer((_, response) => response.end(bodies.shift()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = Object.assign({ port: 0 }, server.address());
  const store = new TestStore();
  const history = new History(testChat(`http://127.0.0.1:${port}`), store);
  await history.open('c');
  expect(store.data.windows.get('c')).toMatchObject({ loading: undefined, failure: 'UnexpectedAnswerError' });
  await history.older('c');
  expect(store.data.windows.get('c')).toMatchObject({ hasOlder: false, loading: undefined, failure: undefined });
  server.closeAllConnections();
  server.close();
});
