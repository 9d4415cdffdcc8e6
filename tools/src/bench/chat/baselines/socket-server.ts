import { once } from 'node:events';
import { type ClientFrameType, type ServerFrameType } from '@waggle/contracts';
import { type WebSocket, WebSocketServer } from 'ws';
import { bytesOf } from '../raw-data';

/** A message as a client of a baseline sent it. Nothing is validated: that is not what a baseline is for. */
export interface SentMessage {
  from: string;
  /** Null in the group, of which everybody is a member. */
  to: string | null;
  conversationId: string;
  content: string;
}

/** A message with what the server adds to it; written to its readers as the chat writes it. */
export interface ToldMessage extends SentMessage {
  id: string;
  sentAt: Date;
}

/** What distinguishes a baseline: what it does before it tells. */
export type Baseline = (message: SentMessage, tell: (message: ToldMessage) => void) => void;

const authenticate: ClientFrameType = 'authenticate';
const status: ServerFrameType = 'status';
const chatMessage: ServerFrameType = 'chat-message';

const authenticated = JSON.stringify({ type: status, payload: { authenticated: true } });

/**
 * The part that all baselines share: raw `ws` on a free port, which it prints. It speaks as much of the chat's interface
 * as the load generator does; a token is the account's name. One frame is one `send` to each reader, encoded once.
 */
export async function serveBaseline(baseline: Baseline): Promise<void> {
  const socketsOf = new Map<string, Set<WebSocket>>();
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });

  const tell = (message: ToldMessage) => {
    const frame = encode(message);
    if (message.to === null) {
      for (const socket of server.clients) socket.send(frame);
      return;
    }
    for (const account of [message.from, message.to]) {
      for (const socket of socketsOf.get(account) ?? []) socket.send(frame);
    }
  };

  server.on('connection', (socket) => {
    let account: string | undefined;
    socket.on('message', (data) => {
      const { type, payload } = parse(bytesOf(data).toString());
      if (account !== undefined) {
        const { conversation_id: conversationId, to, message: content } = payload;
        baseline({ from: account, to, conversationId, content }, tell);
      } else if (type === authenticate) {
        account = payload.token;
        const sockets = socketsOf.get(account) ?? new Set();
        socketsOf.set(account, sockets.add(socket));
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

interface SentFrame {
  type: string;
  payload: { token: string; conversation_id: string; to: string | null; message: string };
}

/** Not checked: only the load generator sends anything, and a check would slow down what the chat is compared with. */
function parse(text: string): SentFrame {
  return JSON.parse(text) as SentFrame;
}

function encode({ id, conversationId, from, to, content, sentAt }: ToldMessage): string {
  const timestamp = sentAt.toISOString();
  const payload = { id, conversation_id: conversationId, from, to, content, timestamp, read: false };
  return JSON.stringify({ type: chatMessage, payload });
}
