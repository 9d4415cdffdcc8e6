import { type ClientFrameType, conversation, type LoginSession, type ServerFrameType } from '@waggle/contracts';
import { waitLimitMs, WebSocketClient } from '@waggle/testing';
import { z } from 'zod';

const authenticate: ClientFrameType = 'authenticate';
const status: ServerFrameType = 'status';
const create: ClientFrameType = 'create-conversation';
const created: ServerFrameType = 'conversation-created';

/** A group of five hundred needs a call to the chain and as many rows. */
const createdTimeoutMs = 30_000;

/** Creates a dm or, with a list, a group over the WebSocket. @returns its id */
export async function createConversation(
  url: string,
  session: LoginSession,
  to: string | readonly string[],
): Promise<string> {
  const socket = await WebSocketClient.connect(`${url.replace(/^http/, 'ws')}/ws`);
  try {
    socket.send(authenticate, { token: session.ws_token });
    await socket.next(status);
    socket.send(create, { to, message: 'hello' });
    const { payload } = await socket.next(created, createdTimeoutMs);
    return conversation.parse(payload).id;
  } finally {
    socket.terminate();
  }
}

const messages = z.tuple([z.object({ id: z.string() })], z.unknown());

/** Returns the id of the first of at most 50 messages. */
export async function firstMessageOf(url: string, session: LoginSession, conversationId: string): Promise<string> {
  const response = await fetch(`${url}/messages/chats?conversation_id=${conversationId}`, {
    headers: { authorization: `Bearer ${session.token}` },
    signal: AbortSignal.timeout(waitLimitMs),
  });
  return messages.parse(await response.json())[0].id;
}
