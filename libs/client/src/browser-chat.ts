import { Chat as AnyChat } from './chat';
import type { ChatOptions } from './options';
import type { WebSocketConstructor } from './web-socket';

/** The platform's own. */
declare const WebSocket: WebSocketConstructor;

/** A chat over the platform's WebSocket, where no other is given. */
export class Chat extends AnyChat {
  constructor(options: ChatOptions) {
    super({ ...options, WebSocket: options.WebSocket ?? WebSocket });
  }
}
