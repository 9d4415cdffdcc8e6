import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { until } from '@waggle/testing';
import { testChat, testConversation, TestStore } from '../../test/test-chat';
import { emptyWindow, type MessageWindow } from '../store/message-window';
import { fetchedConversation } from '../store/conversation-changes';
import { History } from './history';

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function historyFrom(listener: RequestListener, store: TestStore): Promise<History> {
  server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = Object.assign({ port: 0 }, server.address());
  return new History(testChat(`http://127.0.0.1:${port}`), store);
}

it('opens a conversation at the first unread message, and otherwise at its end, unless it is loaded', async () => {
  const requests: string[] = [];
  const changeRequests: string[] = [];
  const page = [90, 101, 102].map((seq) => ({
    ...{ id: `m${seq}`, conversation_id: 'c', from: 'bob', to: null, content: 'x', timestamp: '', read: true },
    seq,
  }));
  const store = new TestStore();
  const change = { ...{ seq: 95, timestamp: '', type: 'member-left' }, ...{ by: 'bob', username: 'bob', name: null } };
  const history = await historyFrom(({ url }, response) => {
    const { pathname, searchParams } = new URL(url ?? '', 'http://service');
    const afterSeq = searchParams.get('after_seq') ?? 'newest';
    if (pathname === '/messages/changes') changeRequests.push(afterSeq);
    else requests.push(afterSeq);
    response.end(JSON.stringify(pathname === '/messages/changes' ? [change] : page));
  }, store);
  const read = (readSeq: number, unreadCount: number) => {
    const conversation = {
      ...testConversation,
      last_seq: 102,
      read_seq: readSeq,
      unread_count: unreadCount,
      mention_count: 0,
      first_unread_id: null,
      muted: false,
      favourite: false,
    };
    store.update((data) => ({ ...data, conversations: new Map([['c', fetchedConversation(conversation)]]) }));
  };
  read(100, 2);
  await history.open('c');
  expect(store.data.windows.get('c')).toMatchObject({ startSeq: 90, reachesEnd: true, changes: [change] });
  read(101, 1);
  await history.open('c');
  read(102, 0);
  await history.open('c');
  expect(requests).toEqual(['90']);
  // An unread message that is not loaded.
  read(5, 3);
  await history.open('c');
  expect(requests).toEqual(['90', '0']);
  store.update((data) => ({ ...data, windows: new Map() }));
  read(102, 0);
  await history.open('c');
  expect(requests).toEqual(['90', '0', 'newest']);
  expect(changeRequests).toEqual(['90', '0', '0']);
});

it('drops the history that was opened least recently if there are too many', async () => {
  const store = new TestStore();
  const history = await historyFrom((_, response) => response.end('[]'), store);
  for (const id of 'abcdefghci') await history.open(id);
  expect([...store.data.windows.keys()].join('')).toBe('bdefghci');
});

it('retries after an invalid response', async () => {
  const bodies = ['"not a page"', '[]'];
  const store = new TestStore();
  const history = await historyFrom((_, response) => response.end(bodies.shift()), store);
  await history.open('c');
  const failure = { load: 'latest', code: 'UnexpectedResponseError' };
  expect(store.data.windows.get('c')).toMatchObject({ loading: undefined, failure });
  await history.retry('c');
  expect(store.data.windows.get('c')).toMatchObject({ startSeq: 0, loading: undefined, failure: undefined });
});

it('repeats a failed load, even if no older messages exist', async () => {
  const bodies = ['"not a page"', '[]'];
  const store = new TestStore();
  const history = await historyFrom((_, response) => response.end(bodies.shift()), store);
  const window: MessageWindow = { ...emptyWindow, startSeq: 0, reachesEnd: false };
  store.update((data) => ({ ...data, windows: new Map([['c', window]]) }));
  await history.newer('c');
  expect(store.data.windows.get('c')).toMatchObject({ failure: { load: 'newer' }, reachesEnd: false });
  await history.retry('c');
  expect(store.data.windows.get('c')).toMatchObject({ failure: undefined, reachesEnd: true });
});

it('drops the result of a load that was superseded by a jump to the newest message', async () => {
  const responses: ServerResponse[] = [];
  const store = new TestStore();
  const history = await historyFrom((_, response) => responses.push(response), store);
  store.update((data) => ({ ...data, windows: new Map([['c', emptyWindow]]) }));
  const older = history.older('c');
  await until(() => responses.length === 1);
  const latest = history.latest('c');
  await until(() => responses.length === 2);
  responses[1]?.end('[]');
  await latest;
  responses[0]?.end('"not a page"');
  await older;
  expect(store.data.windows.get('c')).toMatchObject({ loading: undefined, failure: undefined });
});
