import { once } from 'node:events';
import { type Socket } from 'node:net';
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

/** Sends a message to its readers. */
export type Deliver = (message: ToldMessage) => void;

/** What distinguishes a baseline: what it does with a message before it delivers it. */
export type Baseline = (message: SentMessage, deliver: Deliver) => void;

export interface BaselineOptions {
  /** Whether each socket is written once per turn of the event loop, with frames that are encoded to bytes once. */
  coalescesWrites: boolean;
}

type Send = (frame: string | Buffer) => void;

const authenticate: ClientFrameType = 'authenticate';
const status: ServerFrameType = 'status';
const chatMessage: ServerFrameType = 'chat-message';

const authenticated = JSON.stringify({ type: status, payload: { authenticated: true } });

/**
 * The part that all baselines share: raw `ws` on a free port, which it prints. It speaks as much of the chat's interface
 * as the load generator does; a token is the account's name. One frame is one `send` to each reader, encoded once.
 */
export async function serveBaseline(
  baseline: Baseline,
  { coalescesWrites }: BaselineOptions = { coalescesWrites: false },
): Promise<void> {
  const everybody = new Set<Send>();
  const readersOf = new Map<string, Set<Send>>();
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });

  const deliver = (message: ToldMessage) => {
    const text = encode(message);
    const frame = coalescesWrites ? Buffer.from(text) : text;
    if (message.to === null) {
      for (const send of everybody) send(frame);
      return;
    }
    for (const account of [message.from, message.to]) {
      for (const send of readersOf.get(account) ?? []) send(frame);
    }
  };

  server.on('connection', (socket, request) => {
    let account: string | undefined;
    const send = coalescesWrites ? coalescing(socket, request.socket) : sending(socket);
    everybody.add(send);
    socket.on('message', (data) => {
      const { type, payload } = parse(bytesOf(data).toString());
      if (account !== undefined) {
        const { conversation_id: conversationId, to, message: content } = payload;
        baseline({ from: account, to, conversationId, content }, deliver);
      } else if (type === authenticate) {
        account = payload.token;
        const readers = readersOf.get(account) ?? new Set();
        readersOf.set(account, readers.add(send));
        socket.send(authenticated);
      }
    });
    socket.on('error', () => undefined);
    socket.once('close', () => {
      everybody.delete(send);
      if (account !== undefined) readersOf.get(account)?.delete(send);
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

/** Writes what is sent to a socket in one turn of the event loop at once. */
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

/** Not checked: only the load generator sends anything, and a check would slow down what the chat is compared with. */
function parse(text: string): SentFrame {
  return JSON.parse(text) as SentFrame;
}

function encode({ id, conversationId, from, to, content, sentAt }: ToldMessage): string {
  const timestamp = sentAt.toISOString();
  const payload = { id, conversation_id: conversationId, from, to, content, timestamp, read: false };
  return JSON.stringify({ type: chatMessage, payload });
}
