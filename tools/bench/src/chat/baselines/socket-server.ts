import { once } from 'node:events';
import { type Socket } from 'node:net';
import { type ClientFrameType, type ServerFrameType } from '@waggle/contracts';
import { type WebSocket, WebSocketServer } from 'ws';
import { bytesOf } from '../raw-data';

export interface SentMessage {
  from: string;
  /** Null in the group, of which all accounts are members. */
  to: string | null;
  conversationId: string;
  content: string;
}

export interface DeliveredMessage extends SentMessage {
  id: string;
  sentAt: Date;
}

export type Deliver = (message: DeliveredMessage) => void;

/** Handles a message and then delivers it. */
export type Baseline = (message: SentMessage, deliver: Deliver) => void;

export interface BaselineOptions {
  /** Whether to write to each socket once per turn of the event loop, and to encode each frame to bytes once. */
  coalescesWrites: boolean;
}

type Send = (frame: string | Buffer) => void;

const authenticate: ClientFrameType = 'authenticate';
const status: ServerFrameType = 'status';
const chatMessage: ServerFrameType = 'chat-message';

const authenticated = JSON.stringify({ type: status, payload: { authenticated: true } });

/**
 * Serves the frames that the load generator uses with raw `ws` on a free port, and prints the URL. A token is the name of the
 * account. Nothing is validated.
 */
export async function serveBaseline(
  baseline: Baseline,
  { coalescesWrites }: BaselineOptions = { coalescesWrites: false },
): Promise<void> {
  const allSockets = new Set<Send>();
  const socketsOf = new Map<string, Set<Send>>();
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });

  const deliver = (message: DeliveredMessage) => {
    const text = encode(message);
    const frame = coalescesWrites ? Buffer.from(text) : text;
    if (message.to === null) {
      for (const send of allSockets) send(frame);
      return;
    }
    for (const account of [message.from, message.to]) {
      for (const send of socketsOf.get(account) ?? []) send(frame);
    }
  };

  server.on('connection', (socket, request) => {
    let account: string | undefined;
    const send = coalescesWrites ? coalescing(socket, request.socket) : sending(socket);
    allSockets.add(send);
    socket.on('message', (data) => {
      const { type, payload } = parse(bytesOf(data).toString());
      if (account !== undefined) {
        const { conversation_id: conversationId, to, message: content } = payload;
        baseline({ from: account, to, conversationId, content }, deliver);
      } else if (type === authenticate) {
        account = payload.token;
        const sockets = socketsOf.get(account) ?? new Set();
        socketsOf.set(account, sockets.add(send));
        socket.send(authenticated);
      }
    });
    socket.on('error', () => undefined);
    socket.once('close', () => {
      allSockets.delete(send);
      if (account !== undefined) socketsOf.get(account)?.delete(send);
    });
  });
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port');
  process.stdout.write(`http://127.0.0.1:${address.port}\n`);
}

function sending(socket: WebSocket): Send {
  return (frame) => {
    socket.send(frame);
  };
}

/** Writes all frames of one turn of the event loop at once. */
function coalescing(socket: WebSocket, transport: Socket): Send {
  let isCorked = false;
  const uncork = () => {
    isCorked = false;
    transport.uncork();
  };
  return (frame) => {
    if (!isCorked) {
      isCorked = true;
      transport.cork();
      setImmediate(uncork);
    }
    socket.send(frame, { binary: false });
  };
}

interface SentFrame {
  type: string;
  payload: { token: string; conversation_id: string; to: string | null; message: string };
}

/** Not validated, because that would slow down the baseline. */
function parse(text: string): SentFrame {
  return JSON.parse(text) as SentFrame;
}

function encode({ id, conversationId, from, to, content, sentAt }: DeliveredMessage): string {
  const timestamp = sentAt.toISOString();
  const payload = { id, conversation_id: conversationId, from, to, content, timestamp, read: false };
  return JSON.stringify({ type: chatMessage, payload });
}
