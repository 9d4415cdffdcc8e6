import { once } from 'node:events';
import { WebSocket, WebSocketServer } from 'ws';
import { Connection } from './connection';
import { defaultTimeLimits } from './options';

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

/** What a connection that resumes takes note of, when the service says these frames and then no more. */
async function notedOf(frames: readonly object[]): Promise<string[]> {
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
  const noted: string[] = [];
  await new Promise<void>((resolve) => {
    new Connection(
      {
        WebSocket,
        url: `ws://127.0.0.1:${port ?? 0}`,
        token: 'token',
        capabilities: ['sync'],
        former: { cursor: 'the last one' },
        limits: defaultTimeLimits,
      },
      {
        onAuthenticated: () => undefined,
        onReady: (beginning) => noted.push(beginning),
        onFrame: (frame) => noted.push(frame.type),
        onUnknown: (data) => noted.push(`unknown ${JSON.stringify(data)}`),
        onCursor: (cursor) => noted.push(cursor),
        onEnd: ({ refusal }) => {
          if (refusal !== undefined) noted.push(`ended: ${refusal.code}, again in ${refusal.retryAfterMs ?? 0} ms`);
          resolve();
        },
      },
    );
  });
  server.close();
  await once(server, 'close');
  return noted;
}

it('keeps the cursor of each frame: those of missed ones are the one it came with', async () => {
  const complete = { type: 'resume-complete', payload: { cursor: 'reached' } };
  expect(await notedOf([status, message(1, 'the last one'), complete, message(2, 'live')])).toEqual([
    'chat-message',
    'the last one',
    'reached',
    'resumed',
    'chat-message',
    'live',
  ]);
});

it('does not take the cursor of `status` where it resumes: what is missing lies before it', async () => {
  const early = { ...status, payload: { ...status.payload, cursor: 'too far' } };
  expect(await notedOf([early, message(1, 'the last one')])).toEqual(['chat-message', 'the last one']);
});

it('ends where the service refuses to go on telling what was missed, and says why', async () => {
  const payload = { code: 'unavailable', message: 'not now', request_type: 'authenticate', retry_after_ms: 70 };
  const frames = [status, message(1, 'the last one'), { type: 'error', ref: 0, payload }, message(2, 'never')];
  expect(await notedOf(frames)).toEqual(['chat-message', 'the last one', 'ended: unavailable, again in 70 ms']);
});
