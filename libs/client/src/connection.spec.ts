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
const status = { type: 'status', payload: { authenticated: true, capabilities: ['sync'], cursor: 'at-status' } };

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
        onEnd: () => {
          resolve();
        },
      },
    );
  });
  server.close();
  await once(server, 'close');
  return noted;
}

it('keeps its cursor until all that was missed has come: what is missing lies before that of the missed frames', async () => {
  expect(await notedOf([status, message(1, 'later'), message(2, 'later')])).toEqual(['chat-message', 'chat-message']);
});

it('keeps the cursor of each frame from then on', async () => {
  const complete = { type: 'resume-complete', payload: { cursor: 'reached' } };
  expect(await notedOf([status, message(1, 'later'), complete, message(2, 'live')])).toEqual([
    'chat-message',
    'reached',
    'resumed',
    'chat-message',
    'live',
  ]);
});
