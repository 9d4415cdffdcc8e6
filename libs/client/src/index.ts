// For Node.js. Bundlers for browsers pick ./browser by the condition `browser` in package.json.
import { WebSocket } from 'ws';
import { Chat as AnyChat } from './chat';
import type { ChatOptions } from './options';

export * from './browser';

/** A chat over the WebSocket of `ws`, unless the options have another. */
export class Chat extends AnyChat {
  constructor(options: ChatOptions) {
    super({ ...options, WebSocket: options.WebSocket ?? WebSocket });
  }
}
