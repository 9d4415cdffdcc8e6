import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { Chat } from '../index';
import { RequestRetries } from './request-retries';
import { Session } from './session';

const tokens = { account: 'alice', admin: false, accessToken: 'old', webSocketToken: 'old', refreshToken: 'r' };

let server: Server;
afterEach(() => {
  jest.restoreAllMocks();
  server.closeAllConnections();
  server.close();
});

/** A session of a service that responds with a body to every request. */
async function sessionWith(body: object, onRenewed?: () => void, status = 200): Promise<Session> {
  server = createServer((_, response) => response.writeHead(status).end(JSON.stringify(body)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = Object.assign({ port: 0 }, server.address());
  return new Session({ url: `http://127.0.0.1:${port}`, tokens, onRenewed });
}

it('keeps renewed tokens if `onRenewed` throws, and makes the exception an uncaught error', async () => {
  const microtasks: (() => void)[] = [];
  const session = await sessionWith({ username: 'alice', token: 'new', ws_token: 'new' }, () => {
    // Not earlier, since `fetch` uses it too.
    jest.spyOn(globalThis, 'queueMicrotask').mockImplementation((task) => microtasks.push(task));
    throw new Error('the storage is full');
  });
  await session.renew();
  expect(session.tokens).toMatchObject({ accessToken: 'new', webSocketToken: 'new' });
  expect(microtasks).toHaveLength(1);
  expect(microtasks[0]).toThrow('the storage is full');
});

it('names the path if it does not understand the response to a renewal', async () => {
  const session = await sessionWith({ username: 'alice' });
  await expect(session.renew()).rejects.toMatchObject({
    name: 'UnexpectedResponseError',
    message: 'The response of /users/refresh-token is not understood',
  });
});

it('logs out of a session that has ended already', async () => {
  const session = await sessionWith({ code: 'unauthenticated' }, undefined, 401);
  await session.logOut();
});

it('logs out as soon as the service responds, if `RequestRetries` repeats it', async () => {
  const session = await sessionWith({});
  const chat = new Chat({ session });
  const ended: unknown[] = [];
  chat.on('ended', ({ reason }) => ended.push(reason));
  let requests = 0;
  server.prependListener('request', (request) => {
    requests += 1;
    if (requests === 1) request.destroy();
  });
  await new RequestRetries({ firstMs: 1, maxMs: 1 }).run(() => chat.logOut());
  expect({ requests, ended }).toEqual({ requests: 2, ended: ['closed'] });
});

it('makes many requests at once without a warning, and cancels them', async () => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => warnings.push(warning);
  process.on('warning', onWarning);
  const session = await sessionWith({});
  server.removeAllListeners('request');
  const requests = Array.from({ length: 20 }, () => session.request('/slow'));
  const failed = Promise.allSettled(requests);
  await once(server, 'request');
  session.cancelRequests();
  expect((await failed).map(({ status }) => status)).toEqual(requests.map(() => 'rejected'));
  process.off('warning', onWarning);
  expect(warnings).toEqual([]);
});
