import { Chat as AnyChat } from './chat';
import type { ChatOptions } from './options';
import type { WebSocketConstructor } from './web-socket';

/** The WebSocket of the platform. */
declare const WebSocket: WebSocketConstructor;

/** A chat over the platform's WebSocket, unless the options have another. */
export class Chat extends AnyChat {
  constructor(options: ChatOptions) {
    super({ ...options, WebSocket: options.WebSocket ?? WebSocket });
  }
}
