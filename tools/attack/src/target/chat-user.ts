import { type ClientFrameType, type LoginSession } from '@waggle/contracts';
import WebSocket from 'ws';
import { z } from 'zod';
import { frame, type Frame } from '../traffic/chat-socket';
import { HttpClient, type HttpRequest, type HttpResponse } from '../traffic/http-client';
import { type Target } from './target';

/** The address of users in attacks on rules. */
const address = '127.0.0.4';

const replyTimeoutMs = 30_000;
const reply = frame.extend({ ref: z.number().optional() });

/** An account of the chat that sends requests and frames one after another. */
export class ChatUser {
  private readonly http: HttpClient;
  private readonly pending = new Map<number, (reply: Frame) => void>();
  private sent = 0;

  private constructor(
    readonly account: string,
    readonly session: LoginSession,
    url: string,
    private readonly socket: WebSocket,
  ) {
    this.http = new HttpClient(url, address);
    socket.on('message', (data: Buffer) => {
      const { ref, ...received } = reply.parse(JSON.parse(data.toString()));
      if (ref !== undefined) this.pending.get(ref)?.(received);
    });
  }

  /** Logs an account in and connects it. @throws Error if the service rejects it */
  static async start(target: Target, account = target.newAccount()): Promise<ChatUser> {
    const { url } = target.service('chat');
    const session = await target.logInToChat(account);
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/ws`, { localAddress: address });
    await new Promise((resolve, reject) => {
      socket.once('open', resolve);
      socket.on('error', reject);
    });
    const user = new ChatUser(account, session, url, socket);
    await user.request('authenticate', { token: session.ws_token });
    return user;
  }

  /** Sends a frame. @returns its reply, which may be an error @throws Error if there is none in time */
  async request(type: ClientFrameType, payload: object): Promise<Frame> {
    this.sent += 1;
    const ref = this.sent;
    return await new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new Error(`no reply to ${type}`));
      }, replyTimeoutMs);
      this.pending.set(ref, (received) => {
        clearTimeout(timer);
        this.pending.delete(ref);
        // Otherwise it would count as a rejection by the rule.
        if (received.payload['code'] === 'rate-limited') reject(new Error(`${type} was sent too fast`));
        else resolve(received);
      });
      this.socket.send(JSON.stringify({ type, payload, ref }));
    });
  }

  /** Returns whether a frame succeeds. */
  async may(type: ClientFrameType, payload: object): Promise<boolean> {
    return (await this.request(type, payload)).type !== 'error';
  }

  /** @param token by default the access token */
  async send(path: string, request: HttpRequest = {}, token = this.session.token): Promise<HttpResponse> {
    return await this.http.send(path, { ...request, headers: { authorization: `Bearer ${token}` } });
  }

  async close(): Promise<void> {
    this.socket.terminate();
    await this.http.close();
  }
}
