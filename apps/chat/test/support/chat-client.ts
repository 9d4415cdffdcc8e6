import {
  conversation,
  createdChannel,
  historyPage,
  loginSession,
  message,
  messageWithSeq,
  restError,
  unreadMessage,
  type Capability,
  type Conversation,
  type CreatedChannel,
  type LoginSession,
  type Message,
  type MessageWithSeq,
  type RestError,
  type UnreadMessage,
} from '@waggle/contracts';
import { z } from 'zod';
import { ChatSocket } from './chat-socket';
import { parseByContract } from './contract';
import { loginPath } from './login-path';

type Headers = Record<string, string>;

/** The path, query and headers of an upgrade request. */
export interface SocketOptions {
  path?: string;
  query?: string;
  headers?: Headers;
}

/** A client of one instance, over REST and WebSocket. */
export class ChatClient {
  private readonly sockets: ChatSocket[] = [];

  /** @param url such as `http://127.0.0.1:3000` */
  constructor(readonly url: string) {}

  get(path: string, headers: Headers = {}): Promise<Response> {
    return fetch(this.url + path, { headers });
  }

  post(path: string, body: unknown, headers: Headers = {}): Promise<Response> {
    return fetch(this.url + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  }

  /** Returns the JSON of a GET that must succeed. */
  async getJson<Schema extends z.ZodType>(path: string, token: string, schema: Schema): Promise<z.infer<Schema>> {
    return jsonOf(await this.get(path, bearer(token)), schema);
  }

  /** Returns the JSON of a POST that must succeed. */
  async postJson<Schema extends z.ZodType>(
    path: string,
    token: string,
    body: unknown,
    schema: Schema,
  ): Promise<z.infer<Schema>> {
    return jsonOf(await this.post(path, body, bearer(token)), schema);
  }

  /** Returns the error of a GET that must fail. */
  async getError(path: string, headers: Headers = {}): Promise<RestError> {
    return errorOf(await this.get(path, headers));
  }

  async logIn(account: string): Promise<LoginSession> {
    return jsonOf(await this.get(loginPath(account)), loginSession);
  }

  /** Opens a WebSocket without authentication, which is closed with the client. */
  async openSocket({ path = '/ws', query = '', headers = {} }: SocketOptions = {}): Promise<ChatSocket> {
    const socket = await ChatSocket.open(this.url.replace('http', 'ws') + path + query, headers);
    this.sockets.push(socket);
    return socket;
  }

  /** Opens an authenticated WebSocket. @throws Error if the token is rejected */
  async connect(token: string, capabilities?: readonly Capability[]): Promise<ChatSocket> {
    const socket = await this.openSocket();
    socket.send('authenticate', { token, capabilities });
    const { payload } = await socket.next('status');
    if (!payload.authenticated) throw new Error('not authenticated');
    return socket;
  }

  /** Logs in and connects. */
  async join(account: string, capabilities?: readonly Capability[]): Promise<ChatUser> {
    const session = await this.logIn(account);
    return new ChatUser(this, session, await this.connect(session.ws_token, capabilities));
  }

  /** Closes the WebSockets. @throws ContractError if one received a frame that violates the contract */
  async close(): Promise<void> {
    await Promise.all(this.sockets.splice(0).map((socket) => socket.close()));
  }
}

/** An account that is logged in and has one WebSocket open. */
export class ChatUser {
  constructor(
    private readonly client: ChatClient,
    readonly session: LoginSession,
    readonly socket: ChatSocket,
  ) {}

  get account(): string {
    return this.session.username;
  }

  getJson<Schema extends z.ZodType>(path: string, schema: Schema): Promise<z.infer<Schema>> {
    return this.client.getJson(path, this.session.token, schema);
  }

  postJson<Schema extends z.ZodType>(path: string, body: unknown, schema: Schema): Promise<z.infer<Schema>> {
    return this.client.postJson(path, this.session.token, body, schema);
  }

  getError(path: string): Promise<RestError> {
    return this.client.getError(path, bearer(this.session.token));
  }

  /** Opens another WebSocket of the same session. */
  connect(capabilities?: readonly Capability[]): Promise<ChatSocket> {
    return this.client.connect(this.session.ws_token, capabilities);
  }

  /** Creates a dm with an account, or a group with a list of accounts, with a first message. */
  async open(to: string | string[], text = 'hello'): Promise<Conversation> {
    const created = await this.socket.request('create-conversation', { to, message: text }, 'conversation-created');
    await this.socket.next('chat-message', ({ conversation_id }) => conversation_id === created.id);
    return created;
  }

  /** Sends a message. @returns the reply */
  say(conversationId: string, text: string, timeoutMs?: number): Promise<Message> {
    return this.socket.request(
      'chat-message',
      { conversation_id: conversationId, message: text },
      'chat-message',
      timeoutMs,
    );
  }

  /** Returns the text of the next message. */
  async nextText(): Promise<string> {
    return (await this.socket.next('chat-message')).payload.content;
  }

  conversations(): Promise<Conversation[]> {
    return this.getJson('/messages/conversations', z.array(conversation));
  }

  /** Returns a conversation by id. Requesting a channel follows it. */
  conversation(id: string): Promise<Conversation> {
    return this.getJson(`/messages/conversation?id=${id}`, conversation);
  }

  createChannel(name: string): Promise<CreatedChannel> {
    return this.postJson('/users/channels', { name }, createdChannel);
  }

  unread(): Promise<UnreadMessage[]> {
    return this.getJson('/messages/new', z.array(unreadMessage));
  }

  /** Returns a page of the history, by default the latest. */
  history(conversationId: string, query = ''): Promise<Message[]> {
    return this.getJson(`/messages/chats?conversation_id=${conversationId}${query}`, z.array(message));
  }

  /** Returns a page of the history with `extended=true`, by default the latest. */
  extendedHistory(conversationId: string, query = ''): Promise<MessageWithSeq[]> {
    const path = `/messages/chats?conversation_id=${conversationId}&extended=true${query}`;
    return this.getJson(path, z.array(messageWithSeq));
  }

  /** Returns the whole history. */
  async wholeHistory(conversationId: string): Promise<Message[]> {
    const messages: Message[] = [];
    for (;;) {
      const before = messages[0] === undefined ? '' : `&before=${messages[0].timestamp}`;
      const page = await this.history(conversationId, `&limit=${historyPage.max}${before}`);
      if (page.length === 0) return messages;
      messages.unshift(...page);
    }
  }
}

export function bearer(token: string): Headers {
  return { Authorization: `Bearer ${token}` };
}

/** @throws Error if the response is an error, ContractError if it violates the contract */
export async function jsonOf<Schema extends z.ZodType>(response: Response, schema: Schema): Promise<z.infer<Schema>> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${text}`);
  return parseByContract(schema, JSON.parse(text), response.url);
}

/** @throws Error if the response is not an error, ContractError if it violates the contract */
export async function errorOf(response: Response): Promise<RestError> {
  const text = await response.text();
  if (response.ok) throw new Error(`${response.url}: ${response.status} ${text}`);
  const withStatus = restError.extend({ statusCode: z.literal(response.status) });
  return parseByContract(withStatus, JSON.parse(text), response.url);
}
