import { once } from 'node:events';
import { WebSocket, WebSocketServer } from 'ws';
import { defaultTimeLimits } from '../options';
import { Connection } from './connection';

const message = (seq: number, cursor: string) => ({
  type: 'chat-message',
  stream: 'c',
  seq,
  cursor,
  payload: {
    id: `m${seq}`,
    conversation_id: 'c',
    from: 'bob',
    to: 'alice',
    content: `number ${seq}`,
    timestamp: '2026-01-01T00:00:00.000Z',
    read: false,
  },
});
const status = { type: 'status', payload: { authenticated: true, capabilities: ['sync'] } };

const options = {
  WebSocket,
  token: 'token',
  capabilities: ['sync'],
  previous: { cursor: 'the last one' },
  limits: defaultTimeLimits,
} as const;

afterEach(() => {
  jest.useRealTimers();
});

/** Returns what a resuming connection reports if the service sends these frames and closes. */
async function reportsOf(frames: readonly object[]): Promise<string[]> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  server.on('connection', (socket) => {
    socket.once('message', () => {
      for (const frame of frames) socket.send(JSON.stringify(frame));
      socket.close();
    });
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const reports: string[] = [];
  await new Promise<void>((resolve) => {
    new Connection(
      { ...options, url: `ws://127.0.0.1:${port ?? 0}` },
      {
        onAuthenticated: () => undefined,
        onReady: (start) => reports.push(start),
        onFrame: (frame) => reports.push(frame.type),
        onUnknown: (data) => reports.push(`unknown ${JSON.stringify(data)}`),
        onCursor: (cursor) => reports.push(cursor),
        onEnd: ({ error }) => {
          if (error !== undefined) reports.push(`ended: ${error.code}, again in ${error.retryAfterMs ?? 0} ms`);
          resolve();
        },
      },
    );
  });
  server.close();
  await once(server, 'close');
  return reports;
}

it('reports the cursor of each frame; missed frames carry the cursor of the request', async () => {
  const complete = { type: 'resume-complete', payload: { cursor: 'reached' } };
  expect(await reportsOf([status, message(1, 'the last one'), complete, message(2, 'live')])).toEqual([
    'chat-message',
    'the last one',
    'reached',
    'resumed',
    'chat-message',
    'live',
  ]);
});

it('ignores the cursor of `status` while it resumes, since missed frames precede it', async () => {
  const early = { ...status, payload: { ...status.payload, cursor: 'too far' } };
  expect(await reportsOf([early, message(1, 'the last one')])).toEqual(['chat-message', 'the last one']);
});

it('closes with the error of the service if missed frames cannot be delivered', async () => {
  const payload = { code: 'unavailable', message: 'not now', request_type: 'authenticate', retry_after_ms: 70 };
  const frames = [status, message(1, 'the last one'), { type: 'error', ref: 0, payload }, message(2, 'never')];
  expect(await reportsOf(frames)).toEqual(['chat-message', 'the last one', 'ended: unavailable, again in 70 ms']);
});

it('leaves no timer behind if its URL is invalid', () => {
  jest.useFakeTimers();
  const handler = () => undefined;
  const handlers = {
    onAuthenticated: handler,
    onReady: handler,
    onFrame: handler,
    onUnknown: handler,
    onCursor: handler,
    onEnd: handler,
  };
  expect(() => new Connection({ ...options, url: 'ws://127.0.0.1:99999' }, handlers)).toThrow();
  expect(jest.getTimerCount()).toBe(0);
});
