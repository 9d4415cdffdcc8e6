import {
  Chat,
  logIn,
  type ChatEvents,
  type ChatOptions,
  type LogInOptions,
  type Message,
  type Session,
  type WebSocketConstructor,
} from '@waggle/client';
import { devnetKeys } from '@waggle/devnet';
import { waitLimitMs } from '@waggle/testing';
import WebSocket from 'ws';
import { z } from 'zod';
import { sign } from '../support/login-path';

/** Pauses that are short enough for a test to wait for. */
const briskBackoff = { firstMs: 20, maxMs: 100, resetAfterMs: 10_000 };

type Options = Partial<ChatOptions> & Partial<LogInOptions>;

/** Logs in as a user of the library would. */
export function logInAs(account: string, url: string, options: Partial<LogInOptions> = {}): Promise<Session> {
  return logIn({ url, account, sign: (text) => sign(text, devnetKeys(account).posting.wif), ...options });
}

/** The chats of a test, which are closed when it ends. */
export class Clients {
  private readonly chats: Chat[] = [];

  /** Not connected yet. */
  async create(account: string, url: string, options: Options = {}): Promise<Chat> {
    const session = options.session ?? (await logInAs(account, url, options));
    const chat = new Chat({ backoff: briskBackoff, ...options, session });
    this.chats.push(chat);
    return chat;
  }

  async connect(account: string, url: string, options: Options = {}): Promise<Chat> {
    const chat = await this.create(account, url, options);
    await chat.connect();
    return chat;
  }

  async close(): Promise<void> {
    await Promise.all(this.chats.splice(0).map((chat) => chat.close()));
  }
}

/** All payloads of an event from now on. */
export function received<E extends keyof ChatEvents>(chat: Chat, event: E): ChatEvents[E][] {
  const payloads: ChatEvents[E][] = [];
  chat.on(event, (payload) => payloads.push(payload));
  return payloads;
}

/** The texts of all messages that are received from now on. */
export function receivedTexts(chat: Chat): string[] {
  const texts: string[] = [];
  chat.on('chat-message', ({ content }: Message) => texts.push(content));
  return texts;
}

/** The next event of that kind. */
export function next<E extends keyof ChatEvents>(chat: Chat, event: E): Promise<ChatEvents[E]> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error(`no ${event} came`));
    }, waitLimitMs);
    const end = chat.on(event, (payload) => {
      clearTimeout(timer);
      end();
      resolve(payload);
    });
  });
}

/** Returns the error that a promise rejects with. */
export async function rejectionOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('it did not reject');
}

/** A WebSocket that records the types of all frames that are sent over it. */
export function watchedSocket(): { WebSocket: WebSocketConstructor; sent: string[] } {
  const sent: string[] = [];
  class Watched extends WebSocket {
    override send(data: string): void {
      sent.push(z.object({ type: z.string() }).parse(JSON.parse(data)).type);
      super.send(data);
    }
  }
  return { WebSocket: Watched, sent };
}
