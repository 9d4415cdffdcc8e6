import { once } from 'node:events';
import { createServer } from 'node:http';
import { BrowserStorage } from './browser-storage';
import { SavedSession } from './saved-session';

const tokensOf = (account: string, refreshToken: string) => ({
  account,
  admin: false,
  accessToken: 'a',
  webSocketToken: 'w',
  refreshToken,
});

const statuses: number[] = [];
const requests: string[] = [];
const server = createServer(({ url, headers }, response) => {
  requests.push(`${url} ${headers.authorization}`);
  response.writeHead(statuses.shift() ?? 200).end();
});
let url: string;

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${Object.assign({ port: 0 }, server.address()).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

it.each([200, 401])('stays `ending` until the service has ended it, even after a reload: %i', async (status) => {
  const storage = new BrowserStorage('waggle:test:');
  const open = () => new SavedSession(url, storage, false);
  open().save(tokensOf('alice', 'r'));
  expect(open().startEnding(tokensOf('alice', 'r'))).toBe(true);
  statuses.push(503, status);
  await expect(open().restore()).rejects.toMatchObject({ code: 'unavailable' });
  expect(open().status).toBe('ending');
  expect(await open().restore()).toBeUndefined();
  expect(open().status).toBe('none');
  expect(requests.splice(0)).toEqual(['/users/logout Bearer r', '/users/logout Bearer r']);
});

it.each([
  [true, 'undefined'],
  [false, 'Bearer r'],
])('is ended even if it is no longer saved; with cookies: %p', async (byCookies, authorization) => {
  const session = new SavedSession(url, new BrowserStorage('waggle:test:'), byCookies);
  expect(session.startEnding(tokensOf('alice', 'r'))).toBe(true);
  expect(await session.restore()).toBeUndefined();
  expect(session.status).toBe('none');
  expect(requests.splice(0)).toEqual([`/users/logout ${authorization}`]);
});

it('distinguishes its session from one that another tab has started', () => {
  const storage = new BrowserStorage('waggle:test:');
  const byTokens = new SavedSession(url, storage, false);
  byTokens.save(tokensOf('alice', 'new'));
  expect(byTokens.isOf(tokensOf('alice', 'new'))).toBe(true);
  expect(byTokens.isOf(tokensOf('alice', 'old'))).toBe(false);
  expect(byTokens.startEnding(tokensOf('alice', 'old'))).toBe(false);
  expect(byTokens.status).toBe('active');
  const byCookies = new SavedSession(url, storage, true);
  byCookies.save(tokensOf('bob', 'unused'));
  expect(byCookies.isOf(tokensOf('bob', 'other'))).toBe(true);
  expect(byCookies.isOf(tokensOf('alice', 'unused'))).toBe(false);
});
