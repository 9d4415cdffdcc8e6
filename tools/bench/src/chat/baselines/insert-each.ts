import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type ClientFrameType, type ServerFrameType } from '@waggle/contracts';
import { exitOnError } from '@waggle/running/plain-error';
import { Pool } from 'pg';
import { type WebSocket, WebSocketServer } from 'ws';
import { bytesOf } from '../load/load-socket';

/** The default of the chat. */
const poolSize = 10;

/** Has a primary key and the index for paging by time. */
const table = `
  CREATE TABLE message (
    id              uuid PRIMARY KEY,
    conversation_id text NOT NULL,
    sender          text NOT NULL,
    recipient       text,
    content         text NOT NULL,
    sent_at         timestamptz(3) NOT NULL
  );
  CREATE INDEX message_sent_at ON message (conversation_id, sent_at)`;

const insert = {
  name: 'store',
  text: `INSERT INTO message (id, conversation_id, sender, recipient, content, sent_at) VALUES ($1, $2, $3, $4, $5, $6)`,
};

const authenticate: ClientFrameType = 'authenticate';
const status: ServerFrameType = 'status';
const chatMessage: ServerFrameType = 'chat-message';

const authenticated = JSON.stringify({ type: status, payload: { authenticated: true } });

interface SentFrame {
  type: string;
  /** `to` is null in the group; all accounts are members of it. */
  payload: { token: string; conversation_id: string; to: string | null; message: string };
}

/**
 * Serves the frames that the load generator uses with raw `ws` on a free port, and prints the URL. A token is the name
 * of the account. Nothing is validated. It stores each message with a prepared INSERT of its own, then delivers it; it
 * may reorder the messages of a conversation.
 */
async function main(): Promise<void> {
  const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: poolSize });
  await pool.query(table);
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
  const socketsOf = new Map<string, Set<WebSocket>>();

  const storeAndDeliver = async (from: string, payload: SentFrame['payload']): Promise<void> => {
    const { conversation_id, to, message: content } = payload;
    const [id, sentAt] = [randomUUID(), new Date()];
    await pool.query({ ...insert, values: [id, conversation_id, from, to, content, sentAt] });
    const stored = { id, conversation_id, from, to, content, timestamp: sentAt.toISOString(), read: false };
    const frame = JSON.stringify({ type: chatMessage, payload: stored });
    const receivers = to === null ? [server.clients] : [from, to].map((account) => socketsOf.get(account) ?? []);
    for (const sockets of receivers) for (const socket of sockets) socket.send(frame);
  };

  server.on('connection', (socket) => {
    let account: string | undefined;
    socket.on('message', (data) => {
      // Not validated, because that would slow down the baseline.
      const { type, payload } = JSON.parse(bytesOf(data).toString()) as SentFrame;
      if (account !== undefined) exitOnError(storeAndDeliver(account, payload));
      else if (type === authenticate) {
        account = payload.token;
        socketsOf.set(account, (socketsOf.get(account) ?? new Set()).add(socket));
        socket.send(authenticated);
      }
    });
    socket.on('error', () => undefined);
    socket.once('close', () => {
      if (account !== undefined) socketsOf.get(account)?.delete(socket);
    });
  });
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port');
  process.stdout.write(`http://127.0.0.1:${address.port}\n`);
}

exitOnError(main());
